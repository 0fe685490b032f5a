import { changed, type SettingsData } from './settings.ts';

const now: SettingsData = {
  preferences: [
    { kind: 'paid', channel: 'app', wanted: true },
    { kind: 'paid', channel: 'email', wanted: true },
  ],
  quiet_hours: null,
  names_in_subjects: false,
  attach_sealed: false,
};

it('changes the named settings and keeps the others', () => {
  const off = changed(now, { preferences: [{ kind: 'paid', channel: 'email', wanted: false }] });
  expect(off).toEqual({
    ...now,
    preferences: [now.preferences[0], { kind: 'paid', channel: 'email', wanted: false }],
  });
  expect(changed(off, { quiet_hours: { from: 22, until: 7 } })).toEqual({
    ...off,
    quiet_hours: { from: 22, until: 7 },
  });
});
