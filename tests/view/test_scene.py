"""Pictures of shapes: their titles."""

from __future__ import annotations

from fecontact.view.pictures.scene import drawable


def test_titles_from_names_of_files_can_be_drawn():
    assert drawable("Körper, 12 Hz") == "Körper, 12 Hz"
    assert drawable("K\udcc3\udcb6rper") == "Körper"  # as an ASCII locale reads it
    assert drawable("K\udcffrper") == "K\ufffdrper"  # no letter in any
