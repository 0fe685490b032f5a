import { call, toastText } from '@karaar/api-client';
import { messagingRoutes, type ChatPerson } from '@karaar/contracts/messaging/http';
import { screen, useTexts } from '@karaar/i18n';
import { LoadBoundary, toast, useConfirm, userName, type MenuItem } from '@karaar/ui';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { chatKeys } from './queries.ts';
import { chatTexts } from './texts.ts';

/** Few users report another user: the dialog's code and texts load when it opens, not with the chat. */
const ReportDialog = screen(async () => {
  const dialog = await import(/* webpackChunkName: "chat-later" */ './report/ReportDialog.tsx');
  await dialog.reportTexts.load();
  return dialog;
}, []);

/** Blocking, unblocking and reporting another user. */
export function useSafety(person: ChatPerson | undefined): {
  menu: MenuItem[];
  unblock: () => void;
  dialogs: ReactNode;
} {
  const t = useTexts(chatTexts);
  const queries = useQueryClient();
  const confirm = useConfirm();
  const [reporting, setReporting] = useState(false);
  if (!person) return { menu: [], unblock: () => undefined, dialogs: null };
  const name = userName(person.name);
  const params = { userId: person.user_id };
  // The input area shows the success; a toast would cover it.
  const after = async (change: Promise<unknown>) => {
    try {
      await change;
    } catch (error) {
      toast.error(toastText(error, t('changeFailed')));
    }
    await queries.invalidateQueries({ queryKey: chatKeys.person(person.user_id) });
    await queries.invalidateQueries({ queryKey: chatKeys.list });
  };
  const block = async () => {
    const question = {
      title: t('blockTitle', { name }),
      text: t('blockText'),
      confirm: t('block'),
      reject: true,
    };
    if (await confirm.ask(question)) await after(call(messagingRoutes.block, { params }));
  };
  const unblock = () => void after(call(messagingRoutes.unblock, { params }));
  return {
    menu: [
      person.blocked
        ? { label: t('unblock'), icon: 'block', onChoose: unblock }
        : { label: t('block'), icon: 'block', reject: true, onChoose: () => void block() },
      { label: t('report'), icon: 'flag', reject: true, onChoose: () => setReporting(true) },
    ],
    unblock,
    dialogs: (
      <>
        {confirm.dialog}
        <LoadBoundary>
          <Suspense>
            {reporting && <ReportDialog person={person} onClose={() => setReporting(false)} />}
          </Suspense>
        </LoadBoundary>
      </>
    ),
  };
}
