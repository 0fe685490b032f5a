import {
  call,
  queryKeys,
  SESSION_ENDED,
  sessionStore,
  type SessionUser,
  type ShellContext,
} from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useReducer,
  useState,
  type ReactNode,
} from 'react';
import { useNavigate } from 'react-router';
import {
  minimalUser,
  restore,
  sessionReducer,
  sessionUser,
  signedOut,
  type SessionState,
} from './session.ts';
import { sessionTexts } from './texts.ts';
import { REMOTE_KEY } from '../remotes/remote-key.ts';

export type SessionValue = SessionState & ShellContext & { hasAdminToken: boolean };

const SessionContext = createContext<SessionValue | null>(null);

/** The session of the page. Only inside {@link SessionProvider}. */
export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('useSession needs a SessionProvider above it');
  return value;
}

/** Where the page starts, from what the browser has stored. */
function initialState(): SessionState {
  const restored = restore(sessionStore.token(), sessionStore.userText());
  if (restored.kind === 'signed-in')
    return { user: restored.user, token: restored.token, isAuthenticated: true };
  if (restored.kind === 'signed-out') sessionStore.clear();
  return signedOut;
}

/** What the server told this user must not be there for the next one; the screens themselves may stay. */
function forgetAnswers(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== REMOTE_KEY });
  queries.getMutationCache().clear();
}

/** Holds the session, keeps local storage in step with it and ends it when the server says so. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const t = useTexts(sessionTexts);
  const [state, dispatch] = useReducer(sessionReducer, null, initialState);
  const [restoring, setRestoring] = useState(() => !state.isAuthenticated && sessionStore.token() !== null);
  const navigate = useNavigate();
  const queries = useQueryClient();

  const replace = useCallback((user: SessionUser) => {
    if (!sessionStore.token()) return;
    sessionStore.saveUser(user);
    dispatch({ type: 'user-updated', user });
  }, []);

  const replaceUser = useCallback(
    (profile: User) => {
      queries.setQueryData(queryKeys.profile, profile);
      replace(sessionUser(profile));
    },
    [queries, replace],
  );

  const end = useCallback(() => {
    sessionStore.clear();
    forgetAnswers(queries);
    dispatch({ type: 'signed-out' });
  }, [queries]);

  useEffect(() => {
    const token = restoring ? sessionStore.token() : null;
    if (!token) return;
    call(authRoutes.profile)
      .then((profile) => {
        const user = sessionUser(profile);
        sessionStore.saveUser(user);
        dispatch({ type: 'signed-in', user, token });
      }, end)
      .finally(() => setRestoring(false));
  }, [restoring, end]);

  useEffect(() => {
    // Another tab that logs out ends the session here too.
    const onStorage = () => sessionStore.token() === null && end();
    window.addEventListener(SESSION_ENDED, end);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener(SESSION_ENDED, end);
      window.removeEventListener('storage', onStorage);
    };
  }, [end]);

  const value = useMemo<SessionValue>(
    () => ({
      ...state,
      hasAdminToken: sessionStore.adminToken() !== null,
      signIn: async (answer, phoneNo) => {
        sessionStore.saveToken(answer.access_token);
        const user = await call(authRoutes.profile).then(sessionUser, () => minimalUser(answer, phoneNo));
        sessionStore.saveToken(answer.access_token);
        sessionStore.saveUser(user);
        dispatch({ type: 'signed-in', user, token: answer.access_token });
      },
      signOut: async () => {
        // The session ends here in any case; the server's own expiry covers a call that does not get through.
        await call(authRoutes.logout).catch(() => undefined);
        end();
        toast.success(t('loggedOut'));
        void navigate('/login');
      },
      replaceUser,
    }),
    [state, end, navigate, replaceUser],
  );

  return <SessionContext value={value}>{restoring ? null : children}</SessionContext>;
}
