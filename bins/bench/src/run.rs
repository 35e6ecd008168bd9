//! The run: every row in turn, several times, then those that stand alone.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    time::{Duration, Instant},
};

use crate::{
    load::{Client, Door, Target},
    measure::{Sample, measure},
    median::median,
    options::Options,
    report::Report,
    rows::{COMPARED, Row, SINGLE},
    servers::{self, Place, Server, Servers},
};

/// The samples of each row, round by round.
pub(crate) type Samples = BTreeMap<&'static str, Vec<Sample>>;

/// How often and how long.
struct Pace {
    rounds: usize,
    compared: Duration,
    single: Duration,
    starts: usize,
}

const FULL: Pace = Pace {
    rounds: 6,
    compared: Duration::from_millis(1200),
    single: Duration::from_secs(4),
    starts: 11,
};

const QUICK: Pace = Pace {
    rounds: 1,
    compared: Duration::from_millis(300),
    single: Duration::from_millis(500),
    starts: 3,
};

/// Starts everything, measures, ends everything.
pub(crate) async fn run(options: &Options) -> io::Result<Report> {
    let pace = if options.quick { QUICK } else { FULL };
    println!("starting the programs");
    let start = start_time(options, pace.starts).await?;
    let began = Instant::now();
    let servers = Servers::start(options).await?;
    println!("started in {:.1} s", began.elapsed().as_secs_f64());
    let mut samples = Samples::new();
    for round in 1..=pace.rounds {
        let label = format!("round {round} of {}", pace.rounds);
        take(&servers, options, &label, COMPARED, pace.compared, &mut samples).await?;
    }
    take(&servers, options, "alone", SINGLE, pace.single, &mut samples).await?;
    let memory = [
        ("core", servers.at(Place::Core).memory()?),
        ("tooldock", servers.at(Place::Closure).memory()?),
        ("rmcp", servers.at(Place::Rmcp).memory()?),
        ("axum", servers.at(Place::Axum).memory()?),
    ];
    servers.end().await;
    println!("measured for {:.0} s", began.elapsed().as_secs_f64());
    Ok(Report::new(&samples, &memory, start))
}

/// One turn of all wanted rows.
async fn take(
    servers: &Servers,
    options: &Options,
    label: &str,
    rows: &'static [Row],
    lasting: Duration,
    samples: &mut Samples,
) -> io::Result<()> {
    for row in rows.iter().filter(|row| options.wants(row.name)) {
        let sample = measure(servers, row, lasting).await?;
        println!("{label}: {:<37} {:>7.0} calls/s", row.name, sample.rate);
        io::stdout().flush()?;
        samples.entry(row.name).or_default().push(sample);
    }
    Ok(())
}

/// Milliseconds from the start of a program with a Rust engine to its first answer: the middle of several starts.
async fn start_time(options: &Options, starts: usize) -> io::Result<f64> {
    let mut seen = Vec::new();
    for _ in 0..starts {
        let begin = Instant::now();
        let server = Server::start("tooldock", servers::closure(options)).await?;
        let target = Target {
            address: server.address,
            path: "/tooldock/echo/mcp".to_owned(),
            door: Door::Modern,
        };
        Client::connect(&target).await?.call().await?;
        seen.push(begin.elapsed().as_secs_f64() * 1e3);
        server.end().await;
    }
    Ok(median(seen))
}
