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

/// The memory of a large answer, which counts until the last of its slices is gone.
struct Counted {
    data: Bytes,
    _held: Held,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.data
    }
}

/// A body that counts what is still to be sent of it, with the guard that says its request is not over.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    unsent: Unsent,
    /// What was taken out of the body and is not handed over yet; never empty.
    rest: Option<Bytes>,
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

    /// The next part of the rest, if there is one.
    fn slice(&mut self) -> Option<Bytes> {
        let mut rest = self.rest.take()?;
        let slice = rest.split_to(rest.len().min(SLICE));
        self.rest = Some(rest).filter(|rest| !rest.is_empty());
        Some(slice)
    }

    fn left(&self) -> usize {
        self.rest.as_ref().map_or(0, Bytes::len)
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
                let _held = self.unsent.hold(data.len());
                self.rest = Some(Bytes::from_owner(Counted { data, _held }));
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
        drop(first);
        let mut last = Bytes::new();
        while let Some(frame) = body.frame().await {
            last = frame.unwrap().into_data().unwrap();
        }
        assert_eq!(
            (last.len(), size(&body), body.is_end_stream()),
            (1, Some(0), true)
        );
        drop(body);
        assert!(unsent.is_crowded(), "a slice that is not sent keeps all of it");
        drop(last);
        assert!(!unsent.is_crowded());
    }

    #[tokio::test]
    async fn s36_a_small_body_is_handed_over_as_it_is() {
        let (unsent, data) = (Unsent::new(0), Bytes::from(vec![7; SLICE]));
        let mut body = AnswerBody::new(
            Body::from(data.clone()),
            unsent.clone(),
            HeadClock::new().complete(),
        );
        assert_eq!(body.size_hint().exact(), Some(SLICE as u64));
        let only = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!((only.as_ptr(), only.len()), (data.as_ptr(), SLICE));
        assert!(body.is_end_stream() && !unsent.is_crowded());
    }
}
