"""Names of the mechanisms that make a mode grow, from its balance of power."""

from __future__ import annotations

from fecontact.analysis.stability.power import PowerBalance, PowerTerm

__all__ = ["mechanism"]

BY_TERM = {
    "friction by pressure": "mode coupling",
    "elastic slip": "elastic slip",
    "friction by direction": "turning slip",
    "friction by speed": "falling friction",
    "friction lever": "friction lever",
    "normal direction": "following pressure",
    "normal damping": "rotating contact damping",
    "material damping": "rotating damping",
    "follower load": "follower load",
    "reaction": "turning reaction",
}
"""Term that feeds most -> name. Modes couple where friction follows the pressure: normal motion of
one mode drives tangential motion of another, and back."""


def mechanism(balance: PowerBalance) -> str:
    """Name what feeds a mode; a mode that decays has none: "".

    Examples
    --------
    >>> terms = (PowerTerm("contact", "friction by pressure", -1.0, 5.0),)
    >>> mechanism(PowerBalance(4.0 + 100.0j, terms, 1.0, 1.0))
    'mode coupling (contact)'
    """
    if balance.growth <= 0.0:
        return ""
    source = balance.source
    where = f" ({source.item})" if source else ""
    if balance.diverges:
        return f"divergence{where}"
    return f"{_name(source)}{where}" if source else "no source"


def _name(source: PowerTerm) -> str:
    if source.term in BY_TERM:
        return BY_TERM[source.term]
    return "negative damping" if source.damping > source.circulatory else "circulatory force"
