export { freePort } from '@karaar/dev/processes/ports';
