/** Starts the product that all files of `journeys/` use. It runs in Jest's main process and ends with it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@karaar/testing/processes/ports';
import { startProduct } from '@karaar/dev/product';
import { startCollector } from '@karaar/testing/servers/collector';
import { roomyEnv } from '../room.ts';
import { TRACED } from '../browser/traced.ts';

/** Journeys register and sign in far more people from one address than a real one would. */
export default async function setup() {
  // The product's processes do not keep the one that started them alive; Jest alone has nothing to do meanwhile.
  globalThis.journeyKeepAlive = setInterval(() => undefined, 60_000);
  const stateDir = await mkdtemp(join(tmpdir(), 'karaar-journeys-'));
  const collector = await startCollector(TRACED);
  const metricsPort = await freePort();
  const product = await startProduct({
    stateDir,
    quiet: true,
    env: {
      ...roomyEnv,
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      // Whether a trace is recorded is not for its sender to say: all are, and the collector keeps those of tests.
      TRACE_SAMPLE_RATIO: '1',
    },
  });
  // Jest's workers are forked later and inherit these.
  process.env.JOURNEY_URL = product.url;
  process.env.JOURNEY_POSTGRES_URL = product.backing.postgresUrl;
  process.env.JOURNEY_STATE_DIR = stateDir;
  process.env.JOURNEY_SERVICES = JSON.stringify(
    Object.fromEntries(product.processes.map(({ name, url }) => [name, url])),
  );
  process.env.JOURNEY_INNER = JSON.stringify(
    Object.fromEntries(
      product.processes.filter(({ innerUrl }) => innerUrl).map(({ name, innerUrl }) => [name, innerUrl]),
    ),
  );
  process.env.JOURNEY_TRACES = collector.endpoint;
  process.env.JOURNEY_GATEWAY_METRICS = `http://127.0.0.1:${metricsPort}/metrics`;
  globalThis.journeyProduct = product;
  globalThis.journeyCollector = collector;
}
