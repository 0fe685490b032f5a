import { ApiError } from '@karaar/api-client';
import { toast } from '@karaar/ui';
import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { sharedTexts } from '../texts.ts';
import { useUser } from '../useShell.ts';

/**
 * Creating and joining need a complete profile (spec §5): without one the user is sent to /profile, on page load
 * and on submit.
 * @returns `isComplete`, a check for the moment of submitting; false means that the user is on the way to /profile.
 * `refused`, for a failed call: whether it was the server that found the profile incomplete (it was changed elsewhere),
 * which sends the user there as well
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
