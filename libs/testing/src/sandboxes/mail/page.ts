import { escape, listPage } from '../list-page.ts';
import type { ReceivedMail } from './mailbox.ts';

const clock = new Intl.DateTimeFormat('en-IN', {
  timeStyle: 'medium',
  dateStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

const item = ({ id, to, subject, received_at }: ReceivedMail) => `<li>
<p class="to"><b>${escape(to)}</b> <time datetime="${received_at}">${escape(clock.format(new Date(received_at)))}</time></p>
<p class="text"><a href="/dev/mail/${encodeURIComponent(id)}">${escape(subject)}</a></p>
</li>`;

/** Renders the mailbox as a self-reloading page without scripts. */
export function mailboxPage(mails: readonly ReceivedMail[], publicUrl: string): string {
  return listPage({
    title: 'Mailbox',
    lead: `E-mails that ${escape(publicUrl)} sent, newest first. Development only: no mailbox gets them.`,
    empty: 'No e-mail has been sent yet. Invite somebody to a document; the e-mail appears here.',
    items: mails.map(item),
  });
}
