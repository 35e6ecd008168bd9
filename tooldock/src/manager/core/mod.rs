//! The gateway that the manager manages, as a client sees it: bounded in time and size, and clear when it is away.

mod answer;
mod reload;
mod state;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{Method, StatusCode, header::ACCEPT};
use reqwest::{Client, Response, redirect::Policy};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;
use tooldock_engine::{EngineError, NamespaceName, ToolName, error::Result};

pub(super) use self::{
    reload::{Reloaded, Wish},
    state::{CoreNamespace, CoreSetting, CoreState, CoreTool, LoadProblem, LogLine, TestError, Tested},
};
use super::refusal::refuse;
use crate::config::CoreAddress;

/// How long the core may take to take a connection.
const CONNECT: Duration = Duration::from_secs(3);
/// Bytes that an answer may have.
const MOST: usize = 32 << 20;

/// A client of the core.
#[derive(Debug)]
pub(super) struct CoreClient {
    http: Client,
    address: Arc<CoreAddress>,
}

impl CoreClient {
    pub(super) fn new(address: &Arc<CoreAddress>) -> Self {
        let http = Client::builder()
            .user_agent(concat!("tooldock-manager/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .build()
            .expect("a client without settings of the system can be built");
        Self {
            http,
            address: address.clone(),
        }
    }

    /// Where it is.
    pub(super) fn url(&self) -> &str {
        &self.address.url
    }

    /// Every namespace and how it is.
    pub(super) async fn state(&self) -> Result<CoreState> {
        self.get("/internal/state").await
    }

    /// The settings of the core as they count.
    pub(super) async fn settings(&self) -> Result<Vec<CoreSetting>> {
        let settings: state::Settings = self.get("/internal/settings").await?;
        Ok(settings.settings)
    }

    /// The tools of a namespace and the files they come from.
    pub(super) async fn tools(&self, namespace: &NamespaceName) -> Result<Vec<CoreTool>> {
        let tools: state::CoreTools = self
            .get(&format!("/internal/namespaces/{namespace}/tools"))
            .await?;
        Ok(tools.tools)
    }

    /// The last lines that a namespace wrote, the newest last.
    pub(super) async fn log(&self, namespace: &NamespaceName, lines: usize) -> Result<Vec<LogLine>> {
        let log: state::Log = self
            .get(&format!("/internal/namespaces/{namespace}/log?lines={lines}"))
            .await?;
        Ok(log.lines)
    }

    /// Calls a tool as a client would; it may take `limit` beyond what the core is given to answer anything.
    pub(super) async fn test(
        &self,
        namespace: &NamespaceName,
        tool: &ToolName,
        arguments: &Value,
        limit: Duration,
    ) -> Result<Tested> {
        let path = format!("/internal/namespaces/{namespace}/tools/{tool}/test");
        let patience = self.address.patience + limit;
        let response = self
            .send(
                Method::POST,
                &path,
                "application/json",
                arguments.to_string().into(),
                patience,
            )
            .await?;
        self.read(response, patience).await
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        let patience = self.address.patience;
        let response = self
            .send(Method::GET, path, "application/json", Bytes::new(), patience)
            .await?;
        self.read(response, patience).await
    }

    /// Sends a request and waits for the head of its answer, which says that it was done.
    async fn send(
        &self,
        method: Method,
        path: &str,
        accept: &str,
        body: Bytes,
        patience: Duration,
    ) -> Result<Response> {
        let request = self
            .http
            .request(method, format!("{}{path}", self.address.url))
            .bearer_auth(self.address.bearer.expose())
            .header("x-manager-token", self.address.manager.expose())
            .header(ACCEPT, accept)
            .body(body);
        let response = timeout(patience, request.send()).await;
        let response = response
            .map_err(|_| self.silent(patience))?
            .map_err(|error| self.away(error))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            status => Err(self.refused(status, self.body(response, patience).await?.as_ref())),
        }
    }

    async fn read<T: DeserializeOwned>(&self, response: Response, patience: Duration) -> Result<T> {
        let status = response.status();
        let body = self.body(response, patience).await?;
        serde_json::from_slice(&body).map_err(|error| self.nonsense(status).with_source(error))
    }

    async fn body(&self, mut response: Response, patience: Duration) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response, patience).await? {
            if body.len() + chunk.len() > MOST {
                return Err(refuse(format!(
                    "the core at `{}` answered with more than {} MiB",
                    self.url(),
                    MOST >> 20
                )));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    async fn chunk(&self, response: &mut Response, patience: Duration) -> Result<Option<Bytes>, EngineError> {
        let chunk = timeout(patience, response.chunk()).await;
        chunk
            .map_err(|_| self.silent(patience))?
            .map_err(|error| self.away(error))
    }
}
