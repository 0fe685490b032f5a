/** The sandbox process: reads its environment, listens, and ends on SIGTERM or SIGINT. */
import { createSandboxes } from './app.ts';
import { readConfig } from './config.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const app = await createSandboxes(config, { log: true });
  const stop = () => {
    app.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  const address = await app.listen({ host: config.host, port: config.port });
  console.log(`sandboxes ready at ${address}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
