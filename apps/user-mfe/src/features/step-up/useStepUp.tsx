import { ApiError, toastText, type CallOptions } from '@karaar/api-client';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, useState, type ReactNode } from 'react';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

const StepUpDialog = screen(
  () => import(/* webpackChunkName: "signing" */ './StepUpDialog.tsx'),
  [profileTexts],
);
const OwnNumberDialog = screen(
  () => import(/* webpackChunkName: "own-number" */ './OwnNumberDialog.tsx'),
  [profileTexts],
);

/** The user has not confirmed the act. */
class NotConfirmed extends Error {}

let confirming = 0;

/** Whether a dialog is open: what closes it, such as Escape, does not close the dialog below with it. */
export const isConfirming = (): boolean => confirming > 0;

type Send<T> = (options: Pick<CallOptions, 'stepUpGrant'>) => Promise<T>;
type Extra<T> = {
  /** Of the document, for a payment. */
  name?: string;
  /** Asks for a new number without the present one, when the user says that it is lost. */
  withoutNumber?: Send<T>;
};

/**
 * Performs acts that the service may want confirmed, by a code to the user's number or with a passkey: the act is sent
 * without one first, and a dialog is loaded only when the service asks for it.
 */
export function useStepUp() {
  const [shown, setShown] = useState<ReactNode>();

  /** Shows a dialog until it answers. @throws NotConfirmed when it is cancelled */
  function ask<T>(dialogOf: (answer: (value: T) => void, cancel: () => void) => ReactNode): Promise<T> {
    confirming += 1;
    return new Promise<T>((resolve, reject) => {
      setShown(dialogOf(resolve, () => reject(new NotConfirmed())));
    }).finally(() => {
      setShown(undefined);
      // After the key press or tap that closed it has been handled everywhere.
      setTimeout(() => (confirming -= 1));
    });
  }

  /**
   * Sends an act, and sends it again with what confirms it as often as the service asks for more.
   * @throws what `send` throws, or that the user has not confirmed it
   */
  async function perform<T>(act: StepUpAct, send: Send<T>, extra: Extra<T> = {}): Promise<T> {
    const { name = '', withoutNumber } = extra;
    let sending = send;
    const options: Parameters<Send<T>>[0] = {};
    for (;;) {
      try {
        return await sending(options);
      } catch (error) {
        const code = error instanceof ApiError ? error.code : undefined;
        if (code === 'step_up_required') {
          options.stepUpGrant = await ask<string>((onGrant, onCancel) => (
            <StepUpDialog act={act} name={name} onGrant={onGrant} onCancel={onCancel} />
          ));
        } else if (
          code === 'own_number_required' &&
          (act.action === 'change_phone' || act.action === 'delete_account')
        ) {
          const answer = await ask<'confirmed' | 'lost'>((done, onCancel) => (
            <OwnNumberDialog
              act={act}
              onConfirmed={() => done('confirmed')}
              onLost={withoutNumber && (() => done('lost'))}
              onCancel={onCancel}
            />
          ));
          if (answer === 'lost' && withoutNumber) sending = withoutNumber;
        } else throw error;
      }
    }
  }

  const dialog: ReactNode = shown && (
    <LoadBoundary>
      <Suspense>{shown}</Suspense>
    </LoadBoundary>
  );
  return { perform, dialog };
}

/** The text of an act that failed: as `toastText`, or that the user has not confirmed it. */
export const stepUpText = (error: unknown, fallback: string): string =>
  error instanceof NotConfirmed ? profileTexts.say('stepUpCancelled') : toastText(error, fallback);
