/** A server of the tests for one of the contracts' users, with that user's rights. */
export { natsUrlOf } from '@karaar/dev/backing/nats';
export { redisUrlOf } from '@karaar/dev/backing/redis';
