"""A case script for a part of one's own: `fecontact new`."""
