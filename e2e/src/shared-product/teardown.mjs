/** Stops what setup.mjs started, with its data. */
export default async function teardown() {
  await globalThis.journeyProduct.stop({ remove: true });
  clearInterval(globalThis.journeyKeepAlive);
}
