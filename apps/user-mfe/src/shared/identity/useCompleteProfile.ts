import { ApiError } from '@karaar/api-client';
import { toast } from '@karaar/ui';
import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { sharedTexts } from '../texts.ts';
import { useUser } from '../useShell.ts';

/**
 * Creating and joining need a complete profile (spec §5): without one the user is sent to /profile, on page
 * load and on submit.
 * @returns `isComplete`, a check before submitting; false if the user was sent to /profile. `refused`, for a
 * failed request: returns true and sends the user to /profile if the server found the profile incomplete (it
 * was changed elsewhere)
 */
export function useCompleteProfile(): { isComplete: () => boolean; refused: (error: unknown) => boolean } {
  const { profile } = useUser();
  const navigate = useNavigate();
  const complete = profile.isComplete;
  const toProfile = useCallback(() => {
    toast.error(sharedTexts.say('profileIncomplete'));
    void navigate('/profile', { replace: true });
  }, [navigate]);
  useEffect(() => {
    if (!complete) toProfile();
  }, [complete, toProfile]);
  return {
    isComplete: () => complete,
    refused: (error) => {
      const incomplete = error instanceof ApiError && error.code === 'profile_incomplete';
      if (incomplete) toProfile();
      return incomplete;
    },
  };
}
