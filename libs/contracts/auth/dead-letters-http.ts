/** The admins' view of events that a service could not apply (docs/adr/0059). */
import { Type, type Static } from 'typebox';
import { ActReason } from '../admin.ts';
import { letterFields, letterKey, RetryOutcome } from '../dead-letters.ts';
import { defineRoute, SUPER_ADMINS } from '../kit.ts';
import { PUBLISHERS } from '../names.ts';

const Service = Type.Enum([...PUBLISHERS]);
const ServiceParams = Type.Object({ service: Service });

export const DeadLetter = Type.Object({ service: Service, ...letterFields });
export type DeadLetter = Static<typeof DeadLetter>;

export const deadLetterRoutes = {
  listDeadLetters: defineRoute({
    method: 'GET',
    path: '/admin/dead-letters',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Events that a service could not apply, the oldest first, up to a hundred of each service',
    query: Type.Object({ service: Type.Optional(Type.Union([Service, Type.Literal('')])) }),
    response: {
      200: Type.Object({
        items: Type.Array(DeadLetter),
        /**
         * The total of the services that answered; larger than the number of items if a service has more than
         * a hundred.
         */
        total: Type.Integer(),
        /** Services that did not answer: their dead letters are missing from the items. */
        away: Type.Array(Service),
      }),
    },
  }),
  retryDeadLetter: defineRoute({
    method: 'POST',
    path: '/admin/dead-letters/:service/retry',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Have the service apply a failed event again; asking is recorded in the audit log',
    params: ServiceParams,
    body: Type.Object(letterKey),
    response: { 200: Type.Object({ outcome: RetryOutcome }) },
    timeoutMs: 95_000,
  }),
  dropDeadLetter: defineRoute({
    method: 'POST',
    path: '/admin/dead-letters/:service/drop',
    access: 'admin',
    roles: SUPER_ADMINS,
    summary: 'Forget a failed event for good, with the reason why; recorded in the audit log',
    params: ServiceParams,
    body: Type.Object({ ...letterKey, reason: ActReason }),
    response: { 200: Type.Object({ dropped: Type.Literal(true) }) },
  }),
} as const;
