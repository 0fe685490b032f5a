import { useTexts } from '@karaar/i18n';
import { useCallback, useState, type ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import { uiTexts } from '../texts.ts';
import css from './feedback.module.css';
import { Modal } from './Modal.tsx';

export type Question = {
  title: string;
  text: string;
  /** Shown between the text and the buttons, for example the amount. */
  detail?: ReactNode;
  confirm: string;
  cancel?: string;
  /** For removal and rejection, which the other party cannot undo. */
  reject?: boolean;
};

type Open = Question & { answer: (yes: boolean) => void };

/**
 * Asks before an action that cannot be undone.
 * @returns `ask`, which resolves to true only if the user confirms, and the dialog to render
 */
export function useConfirm(): { ask: (question: Question) => Promise<boolean>; dialog: ReactNode } {
  const t = useTexts(uiTexts);
  const [open, setOpen] = useState<Open | null>(null);
  const ask = useCallback(
    (question: Question) => new Promise<boolean>((answer) => setOpen({ ...question, answer })),
    [],
  );
  const close = (yes: boolean) => {
    open?.answer(yes);
    setOpen(null);
  };
  const dialog = open && (
    <Modal title={open.title} opened onClose={() => close(false)} width={440}>
      <p className={css.question}>{open.text}</p>
      {open.detail}
      <div className={css.answers}>
        <Button onClick={() => close(false)}>{open.cancel ?? t('cancel')}</Button>
        <Button variant={open.reject ? 'reject' : 'primary'} onClick={() => close(true)}>
          {open.confirm}
        </Button>
      </div>
    </Modal>
  );
  return { ask, dialog };
}
