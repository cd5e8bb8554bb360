//! A socket that carries open files beside its bytes.

use std::collections::VecDeque;
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// The standard streams of one server.
const FILES: usize = 3;

/// Sends the first of `bytes`, with `files` beside the first of them; returns how many were sent.
pub(super) fn send(
    socket: impl AsFd,
    bytes: &[u8],
    files: &[BorrowedFd<'_>],
) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !beside.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(Errno::INVAL);
    }
    // Where there is no such flag, Rust has already made a broken pipe an error for the whole process.
    #[cfg(target_os = "linux")]
    let flags = SendFlags::NOSIGNAL;
    #[cfg(not(target_os = "linux"))]
    let flags = SendFlags::empty();
    sendmsg(socket, &[IoSlice::new(bytes)], &mut beside, flags)
}

/// Receives into `buffer`, and files that come beside into `files`, closed on exec; returns how many bytes came, 0 at the end.
pub(super) fn receive(
    socket: impl AsFd,
    buffer: &mut [u8],
    files: &mut VecDeque<OwnedFd>,
) -> Result<usize, Errno> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    #[cfg(target_os = "linux")]
    let flags = RecvFlags::CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = RecvFlags::empty();
    let received = recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut beside, flags)?;
    for message in beside.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            for file in received {
                #[cfg(not(target_os = "linux"))]
                rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::CLOEXEC)?;
                files.push_back(file);
            }
        }
    }
    Ok(received.bytes)
}
