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

/** Returns true if a dialog is open: Escape must not also close the dialog below. */
export const isConfirming = (): boolean => confirming > 0;

type Send<T> = (options: Pick<CallOptions, 'stepUpGrant'>) => Promise<T>;
type Extra<T> = {
  name?: string;
  /** Requests a new number without the present one, if the user lost it. */
  withoutNumber?: Send<T>;
};

/**
 * Performs acts that may need a confirmation by a code or a passkey: the act is sent without one first, and a
 * dialog is loaded only if the service asks for it.
 */
export function useStepUp() {
  const [shown, setShown] = useState<ReactNode>();

  /**
   * Shows a dialog until it returns a value.
   * @throws NotConfirmed on cancel
   */
  function ask<T>(dialogOf: (answer: (value: T) => void, cancel: () => void) => ReactNode): Promise<T> {
    confirming += 1;
    return new Promise<T>((resolve, reject) => {
      setShown(dialogOf(resolve, () => reject(new NotConfirmed())));
    }).finally(() => {
      setShown(undefined);
      // After all handlers of the closing key press or tap.
      setTimeout(() => (confirming -= 1));
    });
  }

  /**
   * Sends an act, and repeats it with each confirmation that the service asks for.
   * @throws errors of `send`, and NotConfirmed
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

/** Returns the text of a failed act: as `toastText`, or that it was not confirmed. */
export const stepUpText = (error: unknown, fallback: string): string =>
  error instanceof NotConfirmed ? profileTexts.say('stepUpCancelled') : toastText(error, fallback);
