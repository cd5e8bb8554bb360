//! What kind of place an address is, whatever it is wrapped in.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What kind of place an address is. The later, the less is to be reached for somebody else's sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Locality {
    /// Anywhere on the Internet.
    Public,
    /// A network that is not the Internet (RFC 1918, RFC 4193, RFC 6598, RFC 2544).
    Private,
    /// This machine.
    Loopback,
    /// The neighbours on the wire, and the services that tell machines in a cloud their credentials.
    LinkLocal,
    /// Nowhere that a server can be: multicast, documentation, reserved.
    Reserved,
}

impl Locality {
    /// The word in a message: "a private address".
    pub fn as_str(self) -> &'static str {
        match self {
            Locality::Public => "public",
            Locality::Private => "private",
            Locality::Loopback => "loopback",
            Locality::LinkLocal => "link-local or metadata",
            Locality::Reserved => "reserved",
        }
    }

    /// What kind of place `address` is. IPv4 addresses within IPv6 ones (mapped, compatible, NAT64, 6to4, Teredo, ISATAP) are looked at
    /// themselves.
    pub fn of(address: IpAddr) -> Locality {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }
}

fn of_v4(address: Ipv4Addr) -> Locality {
    match address.octets() {
        // Linux connects 0.0.0.0 to itself.
        [0, 0, 0, 0] | [127, ..] => Locality::Loopback,
        // The metadata services of Azure, Alibaba and Oracle are not where those of the others are.
        [168, 63, 129, 16] | [100, 100, 100, 200] | [192, 0, 0, 192] | [169, 254, ..] => {
            Locality::LinkLocal
        }
        [10, ..] | [192, 168, ..] | [172, 16..=31, ..] | [100, 64..=127, ..] => Locality::Private,
        [198, 18..=19, ..] | [192, 0, 0, _] => Locality::Private,
        [0, ..] | [224..=255, ..] => Locality::Reserved,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => Locality::Reserved,
        _ => Locality::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> Locality {
    let segments = address.segments();
    let v4 = |high: u16, low: u16| of_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Locality::Loopback,
        // Compatible, mapped, translated (RFC 2765), NAT64 (RFC 6052).
        [0, 0, 0, 0, 0, 0, high, low]
        | [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        // A NAT64 of somebody's own network (RFC 8215): never better than private.
        [0x64, 0xff9b, 1, _, _, _, high, low] => v4(high, low).max(Locality::Private),
        // 6to4 (RFC 3056).
        [0x2002, high, low, ..] => v4(high, low),
        // Teredo (RFC 4380) hides the client's address by turning its bits over.
        [0x2001, 0, _, _, _, _, high, low] => v4(!high, !low),
        // ISATAP (RFC 5214), below any prefix.
        [first, _, _, _, 0 | 0x200, 0x5efe, high, low] => v4(high, low).max(native(first)),
        // The metadata services of AWS and Google.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => {
            Locality::LinkLocal
        }
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Locality::Reserved,
        [first, ..] => native(first),
    }
}

/// By the first 16 bits of an address that holds no other one.
fn native(first: u16) -> Locality {
    match first {
        0xfe80..=0xfebf => Locality::LinkLocal,
        // Unique local, and the site-local that came before.
        0xfc00..=0xfdff | 0xfec0..=0xfeff => Locality::Private,
        0x2000..=0x3fff => Locality::Public,
        _ => Locality::Reserved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_whatever_they_are_wrapped_in() {
        let expected = [
            (
                Locality::Public,
                "1.1.1.1 8.8.8.8 172.32.0.1 100.128.0.1 2606:4700::1111",
            ),
            (
                Locality::Public,
                "::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1",
            ),
            (
                Locality::Private,
                "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1",
            ),
            (
                Locality::Private,
                "198.18.0.1 fd12:3456::1 fc00::1 fec0::1 64:ff9b:1::8.8.8.8",
            ),
            (
                Locality::Private,
                "::ffff:10.0.0.1 64:ff9b::192.168.0.1 2002:a00:1::",
            ),
            // 10.0.0.1 with its bits turned over.
            (Locality::Private, "2001:0:4136:e378:8000:63bf:f5ff:fffe"),
            (
                Locality::Loopback,
                "127.0.0.1 127.255.255.254 0.0.0.0 ::1 :: ::ffff:127.0.0.1",
            ),
            (
                Locality::Loopback,
                "::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1 ::ffff:0:127.0.0.1",
            ),
            (
                Locality::LinkLocal,
                "169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16",
            ),
            (
                Locality::LinkLocal,
                "192.0.0.192 fe80::1 febf::1 fd00:ec2::254 fd20:ce::254",
            ),
            (
                Locality::LinkLocal,
                "::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::",
            ),
            (
                Locality::LinkLocal,
                "64:ff9b:1::169.254.169.254 2606::5efe:169.254.169.254",
            ),
            (
                Locality::Reserved,
                "224.0.0.1 255.255.255.255 240.0.0.1 0.1.2.3 192.0.2.1",
            ),
            (
                Locality::Reserved,
                "ff02::1 2001:db8::1 100::1 3fff::1 4000::1",
            ),
        ];
        for (locality, addresses) in expected {
            for address in addresses.split(' ') {
                let parsed: IpAddr = address.parse().unwrap();
                assert_eq!(Locality::of(parsed), locality, "{address}");
            }
        }
    }
}
