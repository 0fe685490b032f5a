import { ApiError, toastText, type CallOptions } from '@karaar/api-client';
import type { StepUpAct } from '@karaar/contracts/step-up';
import { screen } from '@karaar/i18n';
import { LoadBoundary } from '@karaar/ui';
import { Suspense, useState, type ReactNode } from 'react';
import { profileTexts } from '../profile/texts.ts';

const StepUpDialog = screen(
  () => import(/* webpackChunkName: "signing" */ './StepUpDialog.tsx'),
  [profileTexts],
);

/** The user has not confirmed the act. */
class NotConfirmed extends Error {}

let confirming = 0;

/** Whether the dialog is open: what closes it, such as Escape, does not close the dialog below with it. */
export const isConfirming = (): boolean => confirming > 0;

/** An act that waits for its confirmation. */
type Asked = { act: StepUpAct; name: string; onGrant: (grant: string) => void; onCancel: () => void };

/**
 * Performs acts that the service may want confirmed with a passkey: the service is asked first, and only its answer brings the
 * dialog, so that users without a passkey neither wait nor load anything.
 */
export function useStepUp() {
  const [asked, setAsked] = useState<Asked>();

  /**
   * Sends an act, and sends it again with the grant when it has to be confirmed.
   * @param name of the document, for a payment
   * @throws what `send` throws, or that the user has not confirmed it
   */
  async function perform<T>(
    act: StepUpAct,
    send: (options: Pick<CallOptions, 'stepUpGrant'>) => Promise<T>,
    name = '',
  ): Promise<T> {
    try {
      return await send({});
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error;
    }
    confirming += 1;
    const grant = await new Promise<string>((resolve, reject) => {
      setAsked({ act, name, onGrant: resolve, onCancel: () => reject(new NotConfirmed()) });
    }).finally(() => {
      setAsked(undefined);
      // After the key press or tap that closed it has been handled everywhere.
      setTimeout(() => (confirming -= 1));
    });
    return send({ stepUpGrant: grant });
  }

  const dialog: ReactNode = asked && (
    <LoadBoundary>
      <Suspense>
        <StepUpDialog {...asked} />
      </Suspense>
    </LoadBoundary>
  );
  return { perform, dialog };
}

/** The text of an act that failed: as `toastText`, or that the user has not confirmed it. */
export const stepUpText = (error: unknown, fallback: string): string =>
  error instanceof NotConfirmed ? profileTexts.say('stepUpCancelled') : toastText(error, fallback);
