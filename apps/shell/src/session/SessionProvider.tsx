import {
  ADMIN_SESSION_ENDED,
  call,
  enteredStore,
  queryKeys,
  SESSION_ENDED,
  sessionStore,
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
  useRef,
  useState,
  type Dispatch,
  type ReactNode,
} from 'react';
import { useNavigate } from 'react-router';
import {
  minimalUser,
  restore,
  sessionReducer,
  sessionUser,
  signedOut,
  type SessionAction,
  type SessionState,
} from './session.ts';
import { screenHomes } from '@karaar/contracts/screens';
import { live, useLive } from './live.ts';
import { profileQuery } from './profile-query.ts';
import { forgetReturn, returnPath, signInReason } from './return-path.ts';
import { sessionTexts } from './texts.ts';
import { REMOTE_KEY } from './remote-key.ts';

export type SessionValue = SessionState &
  ShellContext & {
    hasAdminToken: boolean;
    /** The user logged out on this page: do not return to it after the next sign-in. */
    loggedOut: boolean;
    adminLoggedOut: boolean;
    /** The last signed-in user of this page, also after the session's end. */
    lastUserId: string | null;
  };

const SessionContext = createContext<SessionValue | null>(null);

/**
 * Returns the session of the page.
 * @throws Error outside {@link SessionProvider}
 */
export function useSession(): SessionValue {
  const value = useContext(SessionContext);
  if (!value) throw new Error('useSession needs a SessionProvider above it');
  return value;
}

function initialState(): SessionState {
  const restored = restore(sessionStore.token(), sessionStore.userText());
  if (restored.kind === 'signed-in') {
    enteredStore.openFor(restored.user.user_id);
    return { user: restored.user, token: restored.token, isAuthenticated: true };
  }
  if (restored.kind === 'signed-out') sessionStore.clear();
  return signedOut;
}

/** Deletes the responses of this user; loaded screens and unsent input stay. */
function forgetAnswers(queries: QueryClient): void {
  const stays: readonly unknown[] = [REMOTE_KEY, ...queryKeys.entered];
  queries.removeQueries({ predicate: (query) => !stays.includes(query.queryKey[0]) });
  queries.getMutationCache().clear();
}

function forgetInput(queries: QueryClient): void {
  queries.removeQueries({ queryKey: queryKeys.entered });
  enteredStore.clear();
}

/** Deletes another user's input before this user sees a screen; this user's input before an expiry stays. */
function claimInput(queries: QueryClient, userId: string): void {
  if (!enteredStore.openFor(userId)) forgetInput(queries);
}

/** Holds the session, syncs it with local storage and ends it when the server does. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const t = useTexts(sessionTexts);
  const [state, dispatch] = useReducer(sessionReducer, null, initialState);
  const [loggedOut, setLoggedOut] = useState(false);
  const admin = useAdminSession();
  useLive(state.token);
  const lastUserId = useRef<string | null>(null);
  if (state.user) lastUserId.current = state.user.user_id;
  const navigate = useNavigate();
  const queries = useQueryClient();

  const replaceUser = useCallback(
    (profile: User) => {
      queries.setQueryData(queryKeys.profile, profile);
      if (!sessionStore.token()) return;
      const user = sessionUser(profile);
      sessionStore.saveUser(user);
      dispatch({ type: 'user-updated', user });
    },
    [queries],
  );

  const end = useCallback(() => {
    sessionStore.clear();
    forgetAnswers(queries);
    dispatch({ type: 'signed-out' });
  }, [queries]);

  const restoring = useRestoring(state.isAuthenticated, { dispatch, end });
  useSessionEvents(state.token, { dispatch, end });

  const value = useMemo<SessionValue>(
    () => ({
      ...state,
      ...admin,
      live,
      loggedOut,
      lastUserId: lastUserId.current,
      signIn: async (answer, phoneNo) => {
        claimInput(queries, answer.user_id);
        sessionStore.saveToken(answer.access_token);
        const user = await queries
          .fetchQuery({ ...profileQuery, staleTime: 0, networkMode: 'always' })
          .then(sessionUser, () => minimalUser(answer, phoneNo));
        sessionStore.saveToken(answer.access_token);
        sessionStore.saveUser(user);
        setLoggedOut(false);
        dispatch({ type: 'signed-in', user, token: answer.access_token });
        return returnPath('user', user.user_id) ?? screenHomes.user;
      },
      signOut: async () => {
        // The session ends here in any case; if the request fails, it expires on the server.
        await call(authRoutes.logout).catch(() => undefined);
        setLoggedOut(true);
        forgetReturn('user');
        sessionStore.signOut();
        end();
        forgetInput(queries);
        toast.success(t('loggedOut'));
        void navigate('/login');
      },
      signInReason,
      replaceUser,
    }),
    [state, admin, loggedOut, end, navigate, queries, replaceUser, t],
  );

  return <SessionContext value={value}>{restoring ? null : children}</SessionContext>;
}

type SessionChanges = { dispatch: Dispatch<SessionAction>; end: () => void };

/**
 * Asks the server for the user of the stored token.
 * @returns true until the response
 */
function useRestoring(isAuthenticated: boolean, { dispatch, end }: SessionChanges): boolean {
  const [restoring, setRestoring] = useState(() => !isAuthenticated && sessionStore.token() !== null);
  const queries = useQueryClient();
  useEffect(() => {
    const token = restoring ? sessionStore.token() : null;
    if (!token) return;
    // Leaving the page aborts its requests, which does not end the session.
    let leaving = false;
    const leave = () => (leaving = true);
    window.addEventListener('beforeunload', leave);
    // Cached for the layout and the profile. Ignores the browser's network state, which may be wrong.
    queries
      .fetchQuery({ ...profileQuery, networkMode: 'always' })
      .then((profile) => {
        const user = sessionUser(profile);
        claimInput(queries, user.user_id);
        sessionStore.saveUser(user);
        dispatch({ type: 'signed-in', user, token });
      })
      .catch(() => leaving || end())
      .finally(() => setRestoring(false));
    return () => window.removeEventListener('beforeunload', leave);
  }, [restoring, dispatch, end, queries]);
  return restoring;
}

/** Ends the session when the server does, and follows changes in other tabs. */
function useSessionEvents(token: string | null, { dispatch, end }: SessionChanges): void {
  const queries = useQueryClient();
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (sessionStore.isSignOut(event)) forgetInput(queries);
      const stored = sessionStore.token();
      if (stored === token) return;
      // Another tab signed out or lost the session, or a user signed in there: this tab follows and deletes
      // the former user's data. The storage belongs to the other tab.
      forgetAnswers(queries);
      const restored = restore(stored, sessionStore.userText());
      if (restored.kind === 'signed-in') {
        claimInput(queries, restored.user.user_id);
        dispatch({ type: 'signed-in', user: restored.user, token: restored.token });
      } else dispatch({ type: 'signed-out' });
    };
    window.addEventListener(SESSION_ENDED, end);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener(SESSION_ENDED, end);
      window.removeEventListener('storage', onStorage);
    };
  }, [dispatch, end, queries, token]);
}

type AdminSession = Pick<SessionValue, 'hasAdminToken' | 'adminLoggedOut' | 'adminSignIn' | 'adminSignOut'>;

/** The admin session: a separate token, independent of the user's session. */
function useAdminSession(): AdminSession {
  const [token, setToken] = useState(() => sessionStore.adminToken());
  const [adminLoggedOut, setLoggedOut] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    const follow = () => setToken(sessionStore.adminToken());
    window.addEventListener(ADMIN_SESSION_ENDED, follow);
    window.addEventListener('storage', follow);
    return () => {
      window.removeEventListener(ADMIN_SESSION_ENDED, follow);
      window.removeEventListener('storage', follow);
    };
  }, []);
  return useMemo(
    () => ({
      hasAdminToken: token !== null,
      adminLoggedOut,
      adminSignIn: (next) => {
        sessionStore.saveAdminToken(next);
        setLoggedOut(false);
        setToken(next);
        return returnPath('admin', null) ?? screenHomes.admin;
      },
      adminSignOut: () => {
        sessionStore.clearAdmin();
        setLoggedOut(true);
        forgetReturn('admin');
        setToken(null);
        void navigate(screenHomes['admin-guest']);
      },
    }),
    [token, adminLoggedOut, navigate],
  );
}
