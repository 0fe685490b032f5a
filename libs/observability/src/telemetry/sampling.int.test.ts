import { startCollector } from '@karaar/testing/servers/collector';
import { openServerSpan, startTracing } from './index.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

it('keeps the trace id of a client but not its sampling flag', async () => {
  const collector = await startCollector();
  const stop = startTracing({ service: 'gateway', endpoint: collector.endpoint, ratio: 0 });
  for (const flag of ['00', '01']) {
    const span = openServerSpan(`00-${TRACE_ID}-b7ad6b7169203331-${flag}`, 'GET /things', {});
    expect(span?.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-(?!b7ad6b7169203331)[0-9a-f]{16}-00$`));
    span?.end({}, false);
  }
  await stop();
  await collector.stop();
  expect(collector.spans).toEqual([]);
});
