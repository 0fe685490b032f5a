/** `npm run openapi`: writes the OpenAPI document of the contracts to `.karaar/openapi.json`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '@karaar/contracts/openapi-document';

const file = join(import.meta.dirname, '../.karaar/openapi.json');
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
console.log(`Wrote ${file}`);
