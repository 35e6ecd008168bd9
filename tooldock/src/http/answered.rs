//! A look at an answer on its way out.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use http::Response;

/// What a layer does with the answer to a request that it has let through.
pub trait Look<R>: Unpin {
    /// Gives the answer on, as it is or changed.
    fn look(self, answer: Response<R>) -> Response<R>;
}

/// The answer of a service, which somebody [looks](Look) at when it is there.
#[derive(Debug)]
pub struct Answered<F, L> {
    inner: F,
    /// Nothing once it was asked.
    look: Option<L>,
}

impl<F, L> Answered<F, L> {
    pub(super) const fn new(inner: F, look: L) -> Self {
        Self {
            inner,
            look: Some(look),
        }
    }
}

impl<F, L, R, E> Future for Answered<F, L>
where
    F: Future<Output = Result<Response<R>, E>> + Unpin,
    L: Look<R>,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.inner).poll(cx))?;
        let look = self.look.take();
        Poll::Ready(Ok(match look {
            Some(look) => look.look(answer),
            None => answer,
        }))
    }
}
