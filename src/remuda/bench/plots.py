"""Plots of benchmark results: scatter plots of two configurations, and a cactus plot of all.

matplotlib is an optional dependency (`pip install remuda[plots]`) and takes a second to load; only these
functions import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remuda.bench.tables import config_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from remuda.bench.records import Record

FLOOR: Final = 0.01  # seconds; the logarithmic axes start here
FORMATS: Final = ("svg", "png")
STYLES: Final = {"true": ("o", "tab:blue", "expected true"), "false": ("^", "tab:red", "expected false")}


def plots_available() -> bool:
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def draw_plots(records: Sequence[Record], seconds: float, folder: Path) -> list[Path]:
    """Draw all plots for which there are results. Returns the written files, in order."""
    written = []
    names = config_names(records)
    for first, second in combinations(names, 2):
        points = paired_seconds(records, first, second, seconds)
        if points:
            figure = scatter_plot(points, first, second, seconds)
            written += save(figure, folder / f"scatter-{file_name(first)}-{file_name(second)}")
    written += save(cactus_plot(records, seconds), folder / "cactus")
    return written


def file_name(config: str) -> str:
    """A configuration's name as a file name."""
    kept = "".join(letter if letter.isalnum() else "-" for letter in config)
    return "-".join(part for part in kept.split("-") if part) or "config"


def paired_seconds(
    records: Sequence[Record], first: str, second: str, seconds: float
) -> list[tuple[str, float, float]]:
    """The expectation and both CPU seconds of each task that both were run on; for unsolved tasks, the limit."""
    found: dict[str, dict[str, Record]] = {}
    for record in records:
        if record.judgement != "skipped":
            found.setdefault(record.task, {})[record.config] = record
    return [
        (both[first].expected or "unknown", _seconds(both[first], seconds), _seconds(both[second], seconds))
        for both in found.values()
        if first in both and second in both
    ]


def _seconds(record: Record, limit: float) -> float:
    return min(max(record.cpu_seconds, FLOOR), limit) if record.solved else limit


def scatter_plot(points: Sequence[tuple[str, float, float]], first: str, second: str, seconds: float) -> Figure:
    """One dot per task; below the diagonal, the second configuration is faster."""
    figure, axes = _new_plot((5.5, 5.5))
    for expectation, (marker, color, label) in STYLES.items():
        chosen = [(x, y) for kind, x, y in points if kind == expectation]
        axes.scatter(*_columns(chosen), marker=marker, c=color, label=label, s=24, alpha=0.7, clip_on=False)
    others = [(x, y) for kind, x, y in points if kind not in STYLES]
    if others:
        axes.scatter(*_columns(others), marker="x", c="tab:gray", label="no expectation", s=24, clip_on=False)
    axes.plot([FLOOR, seconds], [FLOOR, seconds], color="gray", linewidth=0.8)
    for draw in (axes.axvline, axes.axhline):
        draw(seconds, color="gray", linestyle="--", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlim=(FLOOR, seconds * 1.3), ylim=(FLOOR, seconds * 1.3))
    axes.set(xlabel=f"{first}: CPU seconds (dashed: not solved)", ylabel=f"{second}: CPU seconds")
    axes.set_aspect("equal")
    axes.legend(loc="upper left", fontsize="small")
    return figure


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def cactus_plot(records: Sequence[Record], seconds: float) -> Figure:
    """The number of tasks that each configuration solves within a given time for each task."""
    figure, axes = _new_plot((6.5, 4.5))
    for name in config_names(records):
        times = sorted(max(r.cpu_seconds, FLOOR) for r in records if r.config == name and r.solved)
        axes.plot(range(1, len(times) + 1), times, marker=".", label=f"{name} ({len(times)})", drawstyle="steps-post")
    axes.axhline(seconds, color="gray", linestyle="--", linewidth=0.8)
    axes.set(yscale="log", xlabel="tasks solved", ylabel="CPU seconds for each")
    axes.legend(loc="upper left", fontsize="small")
    return figure


def _new_plot(size: tuple[float, float]) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)  # draws without a display
    return figure, figure.subplots()


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write the figure in every format, without dates or random names, so that equal data give equal files."""
    import matplotlib as mpl

    written = []
    with mpl.rc_context({"svg.hashsalt": "remuda"}):
        for suffix in FORMATS:
            path = stem.with_name(f"{stem.name}.{suffix}")
            figure.savefig(path, dpi=120, metadata={"Date": None} if suffix == "svg" else None)
            written.append(path)
    return written
