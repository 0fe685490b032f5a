/**
 * Meta's webhooks about the messages of an account.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest, forbidden, unauthorized } from '@karaar/base/errors';
import { isUuid } from '@karaar/db';
import type { SmsReport } from '@karaar/sms';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { causeOf } from './whatsapp-client.ts';

/** The parts of a webhook that we use. A webhook may also have messages that users wrote. */
const Webhook = Type.Object({
  entry: Type.Array(
    Type.Object({
      changes: Type.Array(
        Type.Object({
          value: Type.Object({
            statuses: Type.Optional(
              Type.Array(
                Type.Object({
                  status: Type.String(),
                  biz_opaque_callback_data: Type.Optional(Type.String()),
                  errors: Type.Optional(Type.Array(Type.Object({ code: Type.Integer() }))),
                }),
              ),
            ),
          }),
        }),
      ),
    }),
  ),
});
type Status = NonNullable<
  Static<typeof Webhook>['entry'][number]['changes'][number]['value']['statuses']
>[number];

/**
 * Returns the final reports in a webhook, by delivery.
 * @throws 401 if Meta has not signed these bytes; 400 if they are not a webhook
 */
export function readWhatsappReports(
  { rawBody, signature }: { rawBody: Buffer; signature: string },
  appSecret: string,
): { deliveryId: string; report: SmsReport }[] {
  const expected = Buffer.from(`sha256=${createHmac('sha256', appSecret).update(rawBody).digest('hex')}`);
  const actual = Buffer.from(signature);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw unauthorized('signature_wrong', 'The webhook is not signed by Meta.');
  const webhook = parsed(rawBody);
  if (!Value.Check(Webhook, webhook)) throw badRequest('webhook_malformed', 'The webhook cannot be read.');
  return webhook.entry
    .flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
    .flatMap((status) => {
      const deliveryId = status.biz_opaque_callback_data ?? '';
      const report = reportOf(status);
      return report && isUuid(deliveryId) ? [{ deliveryId, report }] : [];
    });
}

function reportOf({ status, errors = [] }: Status): SmsReport | undefined {
  // Meta may leave out `delivered` for a message that was read at once.
  if (status === 'delivered' || status === 'read') return 'delivered';
  return status === 'failed' ? causeOf(errors[0]?.code ?? 0) : undefined;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Returns the answer to Meta's check of the address.
 * @throws 403 for another token
 */
export function answerChallenge(
  query: { 'hub.mode': string; 'hub.verify_token': string; 'hub.challenge': string },
  verifyToken: string,
): string {
  const [actual, expected] = [Buffer.from(query['hub.verify_token']), Buffer.from(verifyToken)];
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (query['hub.mode'] !== 'subscribe' || !isOurs)
    throw forbidden('signature_wrong', 'The token does not match.');
  return query['hub.challenge'];
}
