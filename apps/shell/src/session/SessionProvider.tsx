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
import { forgetReturn, returnPath } from './return-path.ts';
import { sessionTexts } from './texts.ts';
import { REMOTE_KEY } from './remote-key.ts';

export type SessionValue = SessionState &
  ShellContext & {
    hasAdminToken: boolean;
    /** The user logged out on this page: do not return to it after the next sign-in. */
    loggedOut: boolean;
    adminLoggedOut: boolean;
    /** Who was signed in last in this page, also after the session's end. */
    lastUserId: string | null;
  };

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

/** What the server told this user, and what was entered, must not be there for the next one; the screens themselves may stay. */
function forgetAnswers(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== REMOTE_KEY });
  queries.getMutationCache().clear();
  enteredStore.clear();
}

/** Holds the session, keeps local storage in step with it and ends it when the server says so. */
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
        // The session ends here in any case; the server's own expiry covers a call that does not get through.
        await call(authRoutes.logout).catch(() => undefined);
        setLoggedOut(true);
        forgetReturn('user');
        end();
        toast.success(t('loggedOut'));
        void navigate('/login');
      },
      replaceUser,
    }),
    [state, admin, loggedOut, end, navigate, queries, replaceUser, t],
  );

  return <SessionContext value={value}>{restoring ? null : children}</SessionContext>;
}

type SessionChanges = { dispatch: Dispatch<SessionAction>; end: () => void };

/** Asks the server whose the stored token is. @returns true until the answer is there */
function useRestoring(isAuthenticated: boolean, { dispatch, end }: SessionChanges): boolean {
  const [restoring, setRestoring] = useState(() => !isAuthenticated && sessionStore.token() !== null);
  const queries = useQueryClient();
  useEffect(() => {
    const token = restoring ? sessionStore.token() : null;
    if (!token) return;
    // A page that is left breaks its calls off; that says nothing about the session.
    let leaving = false;
    const leave = () => (leaving = true);
    window.addEventListener('beforeunload', leave);
    // Into the queries: the layout and the profile need not ask again. What the browser says of its network may be wrong.
    queries
      .fetchQuery({ ...profileQuery, networkMode: 'always' })
      .then((profile) => {
        const user = sessionUser(profile);
        sessionStore.saveUser(user);
        dispatch({ type: 'signed-in', user, token });
      })
      .catch(() => leaving || end())
      .finally(() => setRestoring(false));
    return () => window.removeEventListener('beforeunload', leave);
  }, [restoring, dispatch, end, queries]);
  return restoring;
}

/** Ends the session when the server says so, and follows what happens to it in other tabs. */
function useSessionEvents(token: string | null, { dispatch, end }: SessionChanges): void {
  const queries = useQueryClient();
  useEffect(() => {
    const onStorage = () => {
      const stored = sessionStore.token();
      if (stored === token) return;
      // Another tab logged out, or another user signed in there: this tab follows, with nothing of the former user.
      // What that tab has stored stays.
      forgetAnswers(queries);
      const restored = restore(stored, sessionStore.userText());
      if (restored.kind === 'signed-in')
        dispatch({ type: 'signed-in', user: restored.user, token: restored.token });
      else dispatch({ type: 'signed-out' });
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

/** The admin's session: a token of its own, which neither ends with the user's session nor ends that one. */
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
