/** Sends e-mails to contacts at once. This service does not store them: the caller waits for the outcome. */
import { notificationsRpc } from '@karaar/contracts/notifications/rpc';
import type { Context } from '../../context.ts';
import type { Failure } from '../deliveries/delivery.worker.ts';
import { codeLetter, invitationLetter, stopUrl } from './contact-mails.ts';
import { MailError, type Mail, type Mailer } from './mailer.ts';

type Sending = Pick<Context, 'bus' | 'config' | 'logger'> & { mailer: Mailer | undefined };

export async function contactMailsRpc(ctx: Sending): Promise<void> {
  const publicUrl = ctx.config.PUBLIC_URL.replace(/\/$/, '');
  await ctx.bus.serve(notificationsRpc.mailCode, async ({ message_id, to, language, code, account }) => ({
    outcome: await send(ctx, {
      ...codeLetter(language, code, account),
      messageId: message_id,
      to,
      unsubscribeUrl: null,
    }),
  }));
  await ctx.bus.serve(
    notificationsRpc.mailInvitation,
    async ({
      message_id,
      to,
      language,
      sender,
      token,
      answer_by: answerBy = null,
      stop_token: stopToken,
    }) => ({
      outcome: await send(ctx, {
        ...invitationLetter(language, { sender, token, publicUrl, answerBy, stopToken }),
        messageId: message_id,
        to,
        unsubscribeUrl: stopToken === undefined ? null : stopUrl(publicUrl, stopToken),
      }),
    }),
  );
}

async function send({ mailer, logger }: Sending, mail: Mail): Promise<Failure | 'sent' | 'none'> {
  if (!mailer) return 'none';
  try {
    await mailer.send(mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    logger.warn({ err: error, messageId: mail.messageId }, 'an e-mail to an invited address was not sent');
    return error.outcome;
  }
}
