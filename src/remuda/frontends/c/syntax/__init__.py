"""Typed syntax trees and types of C: the result of the parser, and the input of everything else."""
