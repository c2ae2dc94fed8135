"""Addresses on the network."""

import re
from ipaddress import IPv6Address, ip_address


def bare(address: str) -> str:
    """An address without a port; one of IPv4 that is written as of IPv6 is of IPv4.

    >>> bare("192.0.2.7:443"), bare("[2001:db8::4]:443"), bare("::ffff:192.0.2.7"), bare("nonsense")
    ('192.0.2.7', '2001:db8::4', '192.0.2.7', 'nonsense')
    """
    try:
        known = ip_address(_without_port(address))
    except ValueError:
        return address
    return str((known.ipv4_mapped if isinstance(known, IPv6Address) else None) or known)


def network(address: str, bits: int = 64) -> str:
    """An address as it is counted: of IPv6 the network, all of which one person has.

    >>> network("192.0.2.7:443"), network("[2001:db8:1:2:3::4]:443"), network("2001:db8:1:2:3::4", 48)
    ('192.0.2.7', '2001:db8:1:2::', '2001:db8:1::')
    """
    try:
        found = IPv6Address(bare(address))
    except ValueError:
        return bare(address)
    return str(IPv6Address(int(found) >> 128 - bits << 128 - bits))


def loopback(host: str) -> bool:
    """Whether a host, with or without its port, is the machine itself.

    >>> [loopback(host) for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "192.0.2.7:8000")]
    [True, True, True, False]
    """
    name = _without_port(host)
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _without_port(host: str) -> str:
    return re.sub(r"^\[(.*)\](:\d+)?$|^([^:]*):\d+$", r"\1\3", host)
