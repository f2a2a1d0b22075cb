"""The menus: what a new user looks for there. All else is found by Ctrl+K, and in the menu of what it acts on."""

from __future__ import annotations

from collections.abc import Mapping

from cadena.core.methods.names import METHODS
from cadena.gui.files.settings import THEME_CHOICES
from cadena.gui.frame.command import MenuGroups
from cadena.gui.panels.table import PANELS

MENUS: Mapping[str, MenuGroups] = {
    "File": (
        ("file.new", "file.open", "File/Open recent", "file.import"),
        ("file.save", "file.save-as", "File/Export"),
        ("tab.window", "tab.close", "tab.reopen"),
        ("file.settings", "file.quit"),
    ),
    "File/Open recent": (),  # its files are listed when it opens
    "File/Export": (("file.picture", "file.film", "file.page", "file.handout", "file.exercise", "file.code"),),
    "Edit": (
        ("edit.undo", "edit.redo"),
        ("edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete", "edit.dissolve"),
        ("edit.select-all", "edit.find"),
        ("edit.rename", "edit.value"),
    ),
    "View": (
        ("view.zoom-in", "view.zoom-out", "view.zoom-fit", "view.zoom-selection"),
        ("view.back", "view.forward", "View/Bookmarks", "view.map"),
        ("View/Panels",),
        ("View/Highlight", "View/Colour by", "View/Hide", "view.fold-repeats", "view.leaf-rows"),
        ("View/Theme", "View/Text size", "view.full-screen"),
    ),
    "View/Bookmarks": (("view.bookmark",),),  # and all that there are, when it opens
    "View/Panels": (tuple(f"view.{title.lower()}" for title in dict.fromkeys(record.panel for record in PANELS)),),
    "View/Highlight": (("highlight.above", "highlight.below"), ("highlight.off",)),
    "View/Colour by": (("color.value", "color.gradient"),),
    "View/Hide": (("hide.values", "hide.gradients", "hide.names"), ("hide.nothing",)),
    "View/Theme": (tuple(f"view.theme-{name}" for name in THEME_CHOICES),),
    "View/Text size": (("view.larger-type", "view.smaller-type", "view.usual-type"),),
    "Graph": (
        ("graph.add", "graph.expressions", "graph.connect", "graph.disconnect"),
        ("graph.change", "graph.output", "Graph/Kind of leaf", "graph.gradient"),
        ("graph.arrange", "Graph/Align", "note.add", "frame.make"),
        ("function.make", "function.enter", "function.leave"),
        ("graph.expand", "graph.unfold"),
    ),
    "Graph/Kind of leaf": (("graph.kind-parameter", "graph.kind-input", "graph.kind-constant"),),
    "Graph/Align": (
        ("align.left", "align.centre", "align.top", "align.middle"),
        ("align.across", "align.down"),
    ),
    "Run": (
        ("run.play", "run.step", "run.back", "run.sweep"),
        ("run.build", "run.loop", "run.breakpoint"),
        ("Run/Method", "compare.with"),
        ("run.backward", "run.zero-grad"),
        ("learn.run",),
    ),
    "Run/Method": (tuple(f"run.method-{name}" for name in METHODS),),
    "Teach": (
        ("lesson.all", "stage.next-lesson"),
        ("lesson.next-text", "lesson.previous-text"),
        ("view.present", "stage.speaker"),
    ),
    "Help": (("help.search", "help.keys"), ("help.about",)),
}  # fmt: skip
