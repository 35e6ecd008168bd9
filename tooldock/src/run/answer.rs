//! The body of an answer, on its way to a client that may take its time.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};

use super::{
    head::InRequest,
    unsent::{Held, Unsent},
};

/// Bytes that are handed over at once; of more, what the client has not taken yet stays here, where it is counted.
const SLICE: usize = 64 << 10;

/// A body that counts what is still to be sent of it, with the guard that says its request is not over.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    unsent: Unsent,
    /// What was taken out of the body and is not handed over yet.
    rest: Option<(Bytes, Held)>,
    _in_request: InRequest,
}

impl AnswerBody {
    pub(super) const fn new(body: Body, unsent: Unsent, in_request: InRequest) -> Self {
        Self {
            body,
            unsent,
            rest: None,
            _in_request: in_request,
        }
    }

    /// The next part of the rest, if there is one. All of it counts until nothing is left: it is one piece of memory.
    fn slice(&mut self) -> Option<Bytes> {
        let (rest, _) = self.rest.as_mut()?;
        if rest.is_empty() {
            self.rest = None;
            return None;
        }
        Some(rest.split_to(rest.len().min(SLICE)))
    }

    fn left(&self) -> usize {
        self.rest.as_ref().map_or(0, |(rest, _)| rest.len())
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(slice) = self.slice() {
            return Poll::Ready(Some(Ok(Frame::data(slice))));
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let large = |frame: &Frame<Bytes>| frame.data_ref().is_some_and(|data| data.len() > SLICE);
        Poll::Ready(match frame {
            Some(Ok(frame)) if large(&frame) => {
                let data = frame.into_data().unwrap_or_default();
                let held = self.unsent.hold(data.len());
                self.rest = Some((data, held));
                self.slice().map(|slice| Ok(Frame::data(slice)))
            }
            frame => frame,
        })
    }

    fn is_end_stream(&self) -> bool {
        self.left() == 0 && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (hint, left) = (self.body.size_hint(), self.left() as u64);
        let mut all = SizeHint::new();
        all.set_lower(hint.lower() + left);
        if let Some(upper) = hint.upper() {
            all.set_upper(upper + left);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::{super::head::HeadClock, *};

    #[tokio::test]
    async fn s36_a_large_body_is_handed_over_in_slices_and_counts_until_its_end() {
        let unsent = Unsent::new(0);
        let mut body = AnswerBody::new(
            Body::from(vec![7; 3 * SLICE + 1]),
            unsent.clone(),
            HeadClock::new().complete(),
        );
        let size = |body: &AnswerBody| body.size_hint().exact();
        assert_eq!(
            (size(&body), unsent.is_crowded()),
            (Some(3 * SLICE as u64 + 1), false)
        );
        let first = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!((first.len(), size(&body)), (SLICE, Some(2 * SLICE as u64 + 1)));
        assert!(unsent.is_crowded() && !body.is_end_stream());
        let rest = body.collect().await.unwrap().to_bytes();
        assert_eq!((rest.len(), unsent.is_crowded()), (2 * SLICE + 1, false));
    }
}
