//! tooldock-openapi.
