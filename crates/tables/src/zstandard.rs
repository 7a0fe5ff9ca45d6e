//! Zstandard files: all frames of a file, one after the other, each with its checksum.

use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// A file of many frames, as tools that compress in parallel write them, decompressed.
pub(crate) struct Zstandard<R> {
    source: R,
    /// The frame that is being read; `None` after the last.
    frame: Option<FrameDecoder>,
}

impl<R: BufRead> Zstandard<R> {
    /// Begins with the first frame.
    pub(crate) fn new(mut source: R) -> io::Result<Self> {
        Ok(Self { frame: next_frame(&mut source)?, source })
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(frame) = &mut self.frame {
            while frame.can_collect() == 0 && !frame.is_finished() {
                // what the library says of a frame that was damaged or cut short has no kind of its own
                frame.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1)).map_err(|_| damaged())?;
            }
            if frame.can_collect() > 0 {
                return frame.read(buffer);
            }
            let stated = frame.get_checksum_from_data();
            if stated.is_some() && stated != frame.get_calculated_checksum() {
                return Err(damaged());
            }
            self.frame = next_frame(&mut self.source)?;
        }
        Ok(0)
    }
}

/// The next frame that holds data; `None` at the end of the file.
fn next_frame<R: BufRead>(source: &mut R) -> io::Result<Option<FrameDecoder>> {
    while !source.fill_buf()?.is_empty() {
        let mut decoder = FrameDecoder::new();
        match decoder.init(&mut *source) {
            Ok(()) => return Ok(Some(decoder)),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let skipped = io::copy(&mut source.by_ref().take(u64::from(length)), &mut io::sink())?;
                if skipped < u64::from(length) {
                    return Err(damaged());
                }
            }
            Err(_) => return Err(damaged()),
        }
    }
    Ok(None)
}

fn damaged() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the compressed data are damaged or cut short")
}
