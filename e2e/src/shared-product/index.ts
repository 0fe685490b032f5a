/** The product that all journeys share (setup.mjs starts it). Each journey creates its own users and documents. */
import type { Inside } from '../authorization/identities.ts';

type SharedProduct = Inside & {
  /** The internal ports of the processes that have one. */
  inner: Record<string, string>;
  /** Address of the recorded spans, as JSON. */
  traces: string;
  /** The gateway's metrics, which are not on its public port. */
  gatewayMetrics: string;
};

const product = process.env['JOURNEY_PRODUCT'];
if (!product)
  throw new Error('JOURNEY_PRODUCT is not set: only files in e2e/main and e2e/journeys share a product');
export const sharedProduct = JSON.parse(product) as SharedProduct;
