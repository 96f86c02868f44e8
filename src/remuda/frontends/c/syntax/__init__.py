"""Typed syntax trees and types of C: what a parser gives and everything else reads."""
