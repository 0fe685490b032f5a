/** Stops what setup.mjs started, with its data. */
export default async function teardown() {
  await globalThis.journeyProduct.stop({ remove: true });
  await globalThis.journeyCollector.stop();
  clearInterval(globalThis.journeyKeepAlive);
}
