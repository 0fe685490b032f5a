/**
 * Sends template messages by Meta's Cloud API.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/reference/whatsapp-business-phone-number/message-api
 */
import { Agent, request } from 'undici';
import { neverLeft } from '@karaar/base/errors';
import type { SmsFailure } from '@karaar/contracts/sms';
import type { Config } from '../../config.ts';
import type { Failure } from '../deliveries/delivery.worker.ts';

export type WhatsappMessage = {
  /** `+` and digits. */
  to: string;
  /** Approved by Meta for each language, in the category `utility`. */
  template: string;
  language: string;
  /** The values of the body's `{{1}}`, `{{2}}` … */
  parameters: readonly string[];
  /** Completes the address of the template's button. */
  path: string;
  /** Comes back with each report. */
  deliveryId: string;
};

/** The message has neither number nor text, so that it may be logged. */
export class WhatsappError extends Error {
  readonly failure: Failure;
  /** Meta's code; 0 without an answer of Meta. */
  readonly code: number;

  constructor(failure: Failure, code: number, cause?: unknown) {
    super(`WhatsApp has not taken a message: ${failure} (${code})`, { cause });
    this.name = 'WhatsappError';
    this.failure = failure;
    this.code = code;
  }
}

/** The account, its token or its limits are at fault, so every message would fail. */
const AWAY = new Set([0, 3, 4, 10, 190, 368, 80_007, 130_429, 131_005, 131_031, 131_042, 131_048, 133_010]);
/** A fault of Meta, a limit of this pair of numbers, or a template that the operator has to mend. */
const LATER = new Set([1, 2, 131_000, 131_016, 131_056, 131_057]);
const TEMPLATES = { from: 132_000, until: 132_100 };

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes */
export function failureOf(code: number): Failure {
  if (AWAY.has(code) || (code >= 200 && code < 300)) return 'away';
  if (LATER.has(code) || (code >= TEMPLATES.from && code < TEMPLATES.until)) return 'later';
  return 'refused';
}

/** The number has no WhatsApp, or one that cannot show the message. */
const UNREACHABLE = new Set([131_026, 131_030]);
/** WhatsApp or the receiver does not want the message. */
const BLOCKED = new Set([130_472, 130_497, 131_049, 131_050]);

/** Returns the cause of a message that did not arrive. */
export function causeOf(code: number): SmsFailure {
  if (UNREACHABLE.has(code)) return 'unreachable';
  return BLOCKED.has(code) ? 'blocked' : 'undelivered';
}

export type WhatsappClient = {
  /** Resolves once Meta has accepted the message; throws WhatsappError if not, or if the outcome is unknown. */
  send: (message: WhatsappMessage) => Promise<void>;
  close: () => Promise<void>;
};

const MAX_ANSWER_BYTES = 64 * 1024;

type Options = Pick<
  Config,
  'WHATSAPP_API_URL' | 'WHATSAPP_PHONE_NUMBER_ID' | 'WHATSAPP_ACCESS_TOKEN' | 'WHATSAPP_TIMEOUT_MS'
>;

export function createWhatsappClient(config: Options): WhatsappClient {
  const timeout = config.WHATSAPP_TIMEOUT_MS;
  const dispatcher = new Agent({
    connect: { timeout: Math.max(50, Math.floor(timeout * 0.6)) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  const url = `${config.WHATSAPP_API_URL.replace(/\/$/, '')}/${config.WHATSAPP_PHONE_NUMBER_ID}/messages`;
  const headers = {
    authorization: `Bearer ${config.WHATSAPP_ACCESS_TOKEN}`,
    'content-type': 'application/json',
  };
  return {
    send: async (message) => {
      const body = JSON.stringify(bodyOf(message));
      const signal = AbortSignal.timeout(timeout);
      // Without `reset`, a kept connection could be closed just then, and the outcome would be unknown.
      const answer = await request(url, { dispatcher, method: 'POST', headers, body, signal, reset: true })
        .then(async ({ statusCode, body: stream }) => ({ status: statusCode, text: await stream.text() }))
        .catch((error: unknown) => {
          throw new WhatsappError(neverLeft(error) ? 'away' : 'unknown', 0, error);
        });
      refuse(answer);
    },
    close: () => dispatcher.destroy(),
  };
}

const bodyOf = ({ to, template, language, parameters, path, deliveryId }: WhatsappMessage) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: to.replace(/^\+/, ''),
  type: 'template',
  biz_opaque_callback_data: deliveryId,
  template: {
    name: template,
    language: { code: language },
    components: [
      ...(parameters.length > 0 ? [{ type: 'body', parameters: parameters.map(textOf) }] : []),
      { type: 'button', sub_type: 'url', index: '0', parameters: [textOf(path)] },
    ],
  },
});

const textOf = (text: string) => ({ type: 'text', text });

/** @throws WhatsappError unless Meta has accepted the message */
function refuse({ status, text }: { status: number; text: string }): void {
  const answer = parsed(text);
  const code: unknown = answer?.error?.code;
  if (typeof code === 'number') throw new WhatsappError(failureOf(code), code);
  if (status === 429) throw new WhatsappError('away', 0);
  // Without Meta's body, the answer comes from a proxy.
  if (typeof answer?.messages?.[0]?.id !== 'string') throw new WhatsappError('unknown', 0);
}

type Answer = { error?: { code?: unknown }; messages?: { id?: unknown }[] } | null;

function parsed(text: string): Answer | undefined {
  try {
    // Unchecked; each field is checked where it is used.
    return JSON.parse(text) as Answer;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
