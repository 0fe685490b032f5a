/** The real models of the vision service, for tests that judge photos. */
export { makeModels } from '@karaar/dev/models';
