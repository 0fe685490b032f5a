/** What the check starts must come as far as the refusal: a setting that it lacks would end a process before. */
import { exposure } from './exposure.ts';

it('starts every service with sandboxes up to its refusal', async () => {
  expect(await exposure.look()).toEqual([]);
}, 120_000);
