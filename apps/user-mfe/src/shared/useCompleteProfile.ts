import { toast } from '@karaar/ui';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { sharedTexts } from './texts.ts';
import { useUser } from './useShell.ts';

/**
 * Creating and joining need a complete profile (spec §5): without one the user is sent to /profile, on page load
 * and on submit.
 * @returns a check for the moment of submitting; false means that the user is on the way to /profile
 */
export function useCompleteProfile(): () => boolean {
  const { profile } = useUser();
  const navigate = useNavigate();
  const complete = profile.isComplete;
  useEffect(() => {
    if (complete) return;
    toast.error(sharedTexts.say('profileIncomplete'));
    void navigate('/profile', { replace: true });
  }, [complete, navigate]);
  return () => complete;
}
