// The picture and the list of a page of implications. Texts only ever go in as text, never as markup.
"use strict";
(() => {
  const graph = JSON.parse(document.getElementById("graph").textContent);
  const drawn = JSON.parse(document.getElementById("boxes").textContent);
  const assertions = graph.assertions;
  const boxes = drawn.boxes;
  document.documentElement.classList.add("script");

  // --- what implies what, box by box

  const numberOf = new Map(assertions.map((each, number) => [each.id, number]));
  const boxOf = new Array(assertions.length);
  boxes.forEach((box, index) => box.members.forEach((number) => { boxOf[number] = index; }));
  const below = boxes.map(() => []);
  const above = boxes.map(() => []);
  for (const [from, to, points] of drawn.edges) {
    below[from].push({ box: to, points });
    above[to].push({ box: from, points });
  }
  const everyEdge = (() => {  // made when they are first asked for
    let found = null;
    return () => {
      if (found) return found;
      const seen = new Set();
      found = [];
      const ways = new Map(drawn.edges.map(([from, to, points]) => [from * boxes.length + to, points]));
      for (const [stronger, weaker] of graph.implications) {
        const from = boxOf[numberOf.get(stronger)], to = boxOf[numberOf.get(weaker)];
        const key = from * boxes.length + to;
        if (from === to || seen.has(key)) continue;
        seen.add(key);
        found.push([from, to, ways.get(key) || []]);
      }
      return found;
    };
  })();

  function reach(start, neighbours) {
    const found = new Set();
    const stack = [start];
    while (stack.length) {
      for (const { box } of neighbours[stack.pop()]) {
        if (!found.has(box)) { found.add(box); stack.push(box); }
      }
    }
    return found;
  }

  function membersOf(set) {
    let count = 0;
    for (const index of set) count += boxes[index].members.length;
    return count;
  }
  const reached = boxes.map(() => null);
  function reachOf(index) {
    if (!reached[index]) reached[index] = { below: reach(index, below), above: reach(index, above) };
    return reached[index];
  }

  // --- the picture

  const svg = document.getElementById("picture");
  const element = (name, attributes, parent) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.appendChild(made);
    return made;
  };
  const stage = element("g", {}, svg);
  const edgePath = element("path", { class: "edges" }, stage);
  const abovePath = element("path", { class: "edges-above" }, stage);
  const belowPath = element("path", { class: "edges-below" }, stage);
  const drawnBoxes = boxes.map((box, index) => {
    const first = assertions[box.members[0]];
    const group = element("g", { class: "box", transform: `translate(${box.x},${box.y})` }, stage);
    group.dataset.box = index;
    if (!box.alone && first.strongest) group.classList.add("strongest");
    if (!box.alone && first.weakest && !first.strongest) group.classList.add("weakest");
    if (box.members.length > 1) group.classList.add("several");
    element("rect", { width: box.width, height: box.height, rx: 6 }, group);
    box.lines.forEach((line, at) => {
      const isLast = at === box.lines.length - 1;
      const text = element("text", { x: 9, y: 17 + 16 * at, class: isLast ? "last" : "" }, group);
      text.textContent = line;
    });
    if (!box.alone && (first.strongest || first.weakest)) {
      const mark = element("text", { x: box.width - 5, y: box.height - 6, class: "mark" }, group);
      mark.textContent = first.strongest ? "\u25b2" : "\u25bc";
    }
    const title = element("title", {}, group);
    title.textContent = box.members.map((number) => describe(assertions[number])).join("\n");
    return group;
  });

  function describe(assertion) {
    return `${assertion.description}\n${assertion.procedure}, ${place(assertion)}`;
  }
  function place(assertion) {
    const { file, line, column } = assertion.location;
    return `${file}:${line}:${column}`;
  }

  // One path for many edges: a thousand elements less.
  function way(from, to, points) {
    const a = boxes[from], b = boxes[to];
    let x = a.x + a.width / 2, y = a.y + a.height;
    const endX = b.x + b.width / 2, endY = b.y;
    let text = `M${x} ${y}`;
    const stops = [...points, endX, endY - 5];
    for (let at = 0; at < stops.length; at += 2) {
      const nextX = stops[at], nextY = stops[at + 1];
      const bend = Math.max(10, Math.abs(nextY - y) / 2);
      text += nextX === x ? `L${nextX} ${nextY}` : `C${x} ${y + bend} ${nextX} ${nextY - bend} ${nextX} ${nextY}`;
      x = nextX; y = nextY;
    }
    return `${text}M${endX - 4} ${endY - 7}L${endX} ${endY}L${endX + 4} ${endY - 7}`;
  }

  const allEdges = document.getElementById("all-edges");
  const showAlone = document.getElementById("show-alone");
  function edges() { return allEdges.checked ? everyEdge() : drawn.edges; }
  function drawEdges() {
    edgePath.setAttribute("d", edges().map(([from, to, points]) => way(from, to, points)).join(""));
  }
  function drawAlone() {
    boxes.forEach((box, index) => {
      if (box.alone) drawnBoxes[index].style.display = showAlone.checked ? "" : "none";
    });
    const isEmpty = !boxes.some((box) => isShown(box));
    document.getElementById("empty").hidden = !isEmpty;
  }
  function isShown(box) { return !box.alone || showAlone.checked; }

  // --- where one looks from

  const view = { x: 0, y: 0, scale: 1, isOwn: false };  // isOwn: somebody has moved it
  function applyView() {
    stage.setAttribute("transform", `translate(${view.x},${view.y}) scale(${view.scale})`);
  }
  function fit() {
    const shown = boxes.filter(isShown);
    if (!shown.length) return;
    const area = svg.getBoundingClientRect();
    if (!area.width || !area.height) return;
    const left = Math.min(...shown.map((box) => box.x)), top = Math.min(...shown.map((box) => box.y));
    const right = Math.max(...shown.map((box) => box.x + box.width));
    const bottom = Math.max(...shown.map((box) => box.y + box.height));
    const margin = 24;
    view.scale = Math.min(1.25, (area.width - 2 * margin) / (right - left), (area.height - 2 * margin) / (bottom - top));
    view.scale = Math.max(view.scale, 0.01);
    view.x = (area.width - (left + right) * view.scale) / 2;
    view.y = (area.height - (top + bottom) * view.scale) / 2;
    view.isOwn = false;
    applyView();
  }
  function zoom(factor, x, y) {
    const scale = Math.min(4, Math.max(0.01, view.scale * factor));
    view.x = x - (x - view.x) * (scale / view.scale);
    view.y = y - (y - view.y) * (scale / view.scale);
    view.scale = scale;
    view.isOwn = true;
    applyView();
  }
  function zoomMiddle(factor) {
    const area = svg.getBoundingClientRect();
    zoom(factor, area.width / 2, area.height / 2);
  }
  function bringToView(index) {
    const box = boxes[index];
    const area = svg.getBoundingClientRect();
    const scale = view.scale;
    const left = view.x + box.x * scale, top = view.y + box.y * scale;
    const isInside = left >= 0 && top >= 0 && left + box.width * scale <= area.width && top + box.height * scale <= area.height;
    if (isInside && scale >= 0.5) return;
    view.scale = Math.max(0.75, Math.min(scale, 1.25));
    view.x = area.width / 2 - (box.x + box.width / 2) * view.scale;
    view.y = area.height / 4 - box.y * view.scale;  // details stand below
    view.isOwn = true;
    applyView();
  }

  const fingers = new Map();
  let moved = 0;
  svg.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) moved = 0;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before.x, dy = event.clientY - before.y;
    if (fingers.size === 1) {
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 4 && !svg.hasPointerCapture(event.pointerId)) {
        svg.setPointerCapture(event.pointerId);
        svg.classList.add("moving");
      }
      view.x += dx; view.y += dy;
      view.isOwn = true;
      applyView();
    } else if (fingers.size === 2) {
      moved += 10;
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const old = Math.hypot(before.x - other.x, before.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      const area = svg.getBoundingClientRect();
      if (old > 0) zoom(now / old, (event.clientX + other.x) / 2 - area.left, (event.clientY + other.y) / 2 - area.top);
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(kind, (event) => {
      if (kind === "pointerleave" && svg.hasPointerCapture(event.pointerId)) return;
      fingers.delete(event.pointerId);
      svg.classList.remove("moving");
    });
  }
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const area = svg.getBoundingClientRect();
    const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    zoom(Math.exp(-pixels / 400), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });

  // --- what is pointed at, and what is chosen

  const list = document.getElementById("assertions");
  const buttons = assertions.map(() => null);
  for (const button of document.querySelectorAll("#assertions button")) buttons[Number(button.dataset.number)] = button;
  let chosen = null;  // the number of an assertion
  let lit = [];

  function pointAt(index) {
    for (const node of lit) node.classList.remove("lit", "is-below", "is-above", "pointed-at", "near");
    lit = [];
    svg.classList.toggle("pointed", index !== null);
    if (index === null) {
      abovePath.setAttribute("d", "");
      belowPath.setAttribute("d", "");
      return;
    }
    const { below: down, above: up } = reachOf(index);
    const light = (at, ...names) => {
      drawnBoxes[at].classList.add("lit", ...names);
      lit.push(drawnBoxes[at]);
      for (const number of boxes[at].members) {
        buttons[number].classList.add(...names.map((name) => (name === "pointed-at" ? "near" : name)));
        lit.push(buttons[number]);
      }
    };
    light(index, "pointed-at");
    down.forEach((at) => light(at, "is-below"));
    up.forEach((at) => light(at, "is-above"));
    const isIn = (set) => ([from, to]) => (from === index || set.has(from)) && (to === index || set.has(to));
    const path = (set) => edges().filter(isIn(set)).map(([from, to, points]) => way(from, to, points)).join("");
    belowPath.setAttribute("d", path(down));
    abovePath.setAttribute("d", path(up));
  }
  function pointAtChosen() { pointAt(chosen === null ? null : boxOf[chosen]); }

  function scrollTo(button) {  // in the list alone: the page stays where it is
    const area = list.getBoundingClientRect(), own = button.getBoundingClientRect();
    const heading = button.closest(".procedure").firstElementChild.getBoundingClientRect().height;
    if (own.top < area.top + heading) list.scrollTop -= area.top + heading - own.top;
    else if (own.bottom > area.bottom) list.scrollTop += own.bottom - area.bottom;
  }

  const details = document.getElementById("details");
  function choose(number, { scroll = true, move = true } = {}) {
    if (chosen !== null) {
      buttons[chosen].classList.remove("chosen");
      buttons[chosen].removeAttribute("aria-current");
      drawnBoxes[boxOf[chosen]].classList.remove("chosen");
    }
    chosen = number;
    if (number !== null) {
      const index = boxOf[number];
      if (boxes[index].alone && !showAlone.checked && move) { showAlone.checked = true; drawAlone(); }
      buttons[number].classList.add("chosen");
      buttons[number].setAttribute("aria-current", "true");
      drawnBoxes[index].classList.add("chosen");
      if (scroll) scrollTo(buttons[number]);
      if (move) bringToView(index);
    }
    pointAtChosen();
    tellDetails();
  }

  function make(name, text, parent, className) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    parent.appendChild(made);
    return made;
  }
  function tellDetails() {
    details.replaceChildren();
    details.hidden = chosen === null;
    if (chosen === null) return;
    const assertion = assertions[chosen], index = boxOf[chosen], box = boxes[index];
    const close = make("button", "\u00d7", details, "close");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => choose(null));
    make("h3", assertion.description, details);
    make("p", `${assertion.procedure}, ${place(assertion)}`, details, "place");
    make("p", assertion.id, details, "place");
    if (!box.alone && assertion.strongest) make("p", "\u25b2 strongest: no other assertion implies it", details, "strongest");
    if (!box.alone && assertion.weakest) make("p", "\u25bc weakest: it implies no other assertion", details, "weakest");
    if (box.alone) make("p", "No implications from or to this assertion were found.", details);
    const equals = box.members.filter((number) => number !== chosen);
    tellList("\u2261 Equivalent to", "equivalent", equals, equals.length);
    const { below: down, above: up } = reachOf(index);
    const direct = (list) => list.flatMap((each) => boxes[each.box].members);
    tellList("Implies", "below", direct(below[index]), membersOf(down));
    tellList("Implied by", "above", direct(above[index]), membersOf(up));
  }
  function tellList(title, className, numbers, count) {
    if (!numbers.length) return;
    const rest = count > numbers.length ? `, and through them ${count - numbers.length} more` : "";
    make("h4", `${title} ${numbers.length}${rest}`, details, className);
    const list = make("ul", "", details);
    for (const number of numbers.slice(0, 100)) {
      const button = make("button", "", make("li", "", list));
      button.type = "button";
      button.textContent = `${assertions[number].description} (line ${assertions[number].location.line})`;
      button.addEventListener("click", () => choose(number));
    }
    if (numbers.length > 100) make("li", `and ${numbers.length - 100} more`, list);
  }

  svg.addEventListener("pointerover", (event) => {
    const group = event.target.closest(".box");
    if (group && !svg.classList.contains("moving")) pointAt(Number(group.dataset.box));
  });
  svg.addEventListener("pointerout", (event) => {
    if (event.target.closest(".box")) pointAtChosen();
  });
  svg.addEventListener("click", (event) => {
    if (moved > 4) return;
    const group = event.target.closest(".box");
    if (!group) { choose(null); return; }
    const members = boxes[Number(group.dataset.box)].members;
    const at = members.indexOf(chosen);
    choose(members[(at + 1) % members.length], { move: false });
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(Number(button.dataset.number), { scroll: false });
  });
  for (const [kind, isOn] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    list.addEventListener(kind, (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (isOn) pointAt(boxOf[Number(button.dataset.number)]); else pointAtChosen();
    });
  }

  // --- keys

  function nearest(index, isAfter) {
    const middle = (box) => box.x + box.width / 2;
    const own = boxes[index];
    let best = null, least = Infinity;
    boxes.forEach((box, at) => {
      if (at === index || !isShown(box) || (middle(box) > middle(own)) !== isAfter) return;
      const distance = Math.abs(middle(box) - middle(own)) + 6 * Math.abs(box.y - own.y);
      if (distance < least) { least = distance; best = at; }
    });
    return best;
  }
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = chosen === null ? null : boxOf[chosen];
    const go = (at) => { if (at !== null && at !== undefined) choose(boxes[at].members[0]); };
    const first = boxes.findIndex(isShown);
    const actions = {
      ArrowUp: () => go(index === null ? first : above[index][0]?.box),
      ArrowDown: () => go(index === null ? first : below[index][0]?.box),
      ArrowLeft: () => go(index === null ? first : nearest(index, false)),
      ArrowRight: () => go(index === null ? first : nearest(index, true)),
      "+": () => zoomMiddle(1.25),
      "=": () => zoomMiddle(1.25),
      "-": () => zoomMiddle(0.8),
      0: fit,
    };
    if (!actions[event.key] || (event.key.startsWith("Arrow") && first < 0)) return;
    event.preventDefault();
    actions[event.key]();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) choose(null);
    if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
      event.preventDefault();
      search.focus();
    }
  });

  // --- searching and sorting the list

  const search = document.getElementById("search");
  const marks = document.getElementById("marks");
  const sort = document.getElementById("sort");
  const found = document.getElementById("found");
  const texts = assertions.map((each) =>
    `${each.description} ${each.procedure} ${place(each)} ${each.id}`.toLowerCase());
  function hasMark(number, mark) {
    const box = boxes[boxOf[number]];
    if (mark === "alone" || mark === "connected") return box.alone === (mark === "alone");
    if (mark === "equivalent") return box.members.length > 1;
    return !mark || (!box.alone && assertions[number][mark]);
  }
  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = assertions.map((_, number) =>
      hasMark(number, marks.value) && words.every((word) => texts[number].includes(word)));
    buttons.forEach((button, number) => { button.parentElement.hidden = !isFound[number]; });
    for (const section of list.children) section.hidden = !section.querySelector("li[id]:not([hidden])");
    boxes.forEach((box, index) => {
      drawnBoxes[index].classList.toggle("filtered", !box.members.some((number) => isFound[number]));
    });
    const count = isFound.filter(Boolean).length;
    svg.classList.toggle("searching", count < assertions.length);
    found.textContent = count === assertions.length ? "" : `${count} of ${assertions.length} assertions`;
  }
  function sortList() {
    const count = (number, way) => membersOf(reachOf(boxOf[number])[way]) + boxes[boxOf[number]].members.length;
    const keys = {
      place: () => 0,
      text: (one, other) => assertions[one].description.localeCompare(assertions[other].description),
      weaker: (one, other) => count(other, "below") - count(one, "below"),
      stronger: (one, other) => count(other, "above") - count(one, "above"),
    };
    const number = (item) => Number(item.firstElementChild.dataset.number);
    const compare = (one, other) => keys[sort.value](number(one), number(other)) || number(one) - number(other);
    for (const section of list.children) {
      const items = section.querySelector("ol");
      items.replaceChildren(...[...items.children].sort(compare));
    }
    if (sort.value === "place" || sort.value === "text") return;
    const best = (section) => section.querySelector("ol").firstElementChild;
    list.replaceChildren(...[...list.children].sort((one, other) => compare(best(one), best(other))));
  }
  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    const first = event.key === "Enter" && list.querySelector("section:not([hidden]) li[id]:not([hidden]) button");
    if (first) choose(Number(first.dataset.number));
  });
  marks.addEventListener("change", filter);
  sort.addEventListener("change", sortList);
  allEdges.addEventListener("change", () => { drawEdges(); pointAtChosen(); });
  showAlone.addEventListener("change", () => { drawAlone(); fit(); });
  document.getElementById("fit").addEventListener("click", fit);
  document.getElementById("closer").addEventListener("click", () => zoomMiddle(1.25));
  document.getElementById("farther").addEventListener("click", () => zoomMiddle(0.8));

  drawEdges();
  drawAlone();
  filter();
  fit();
  new ResizeObserver(() => { if (!view.isOwn) fit(); }).observe(svg);
  const wanted = /^#a(\d+)$/.exec(location.hash);
  if (wanted && buttons[Number(wanted[1])]) choose(Number(wanted[1]));
})();
