/** Each process must come as far as the refusal: a missing setting would end it before. */
import { exposure } from './exposure.ts';

it('every process with sandboxes or demo accounts refuses', async () => {
  expect(await exposure.look()).toEqual([]);
}, 120_000);
