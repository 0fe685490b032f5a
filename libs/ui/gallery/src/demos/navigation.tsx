import { NavGroup, NavItem, NavOut, SideNav } from '@karaar/ui';
import { Tabs, Thread } from '@karaar/ui/navigation';
import { useState } from 'react';
import { entry, type Group } from '../gallery.ts';

function TabsDemo() {
  const [value, setValue] = useState('users');
  return (
    <Tabs
      label="Manage"
      value={value}
      onChange={setValue}
      tabs={[
        { value: 'users', label: 'Users', count: 2 },
        { value: 'payments', label: 'Payments' },
        { value: 'history', label: 'History' },
      ]}
    >
      <p className="k-muted">What belongs to {value}.</p>
    </Tabs>
  );
}

export const navigation: Group = {
  title: 'Navigation and progress',
  entries: [
    entry('Side navigation', 'Where one can go, and where one is: in the sidebar, on phones in the drawer.', {
      rest: (
        <SideNav label="Navigation">
          <NavGroup>
            <NavItem as="a" href="#home" icon="home" current>
              Dashboard
            </NavItem>
            <NavItem as="a" href="#wallet" icon="wallet" current={false} extra={<span>12.50</span>}>
              Wallet
            </NavItem>
          </NavGroup>
          <NavGroup title="Help">
            <NavItem as="a" href="#about" icon="info" current={false}>
              About
            </NavItem>
          </NavGroup>
          <NavOut onPress={() => undefined}>Logout</NavOut>
        </SideNav>
      ),
    }),
    entry('Tabs', 'Parts of one subject of which one is shown.', { rest: <TabsDemo /> }),
    entry('Thread', 'What happened, as a thread down the side; what is awaited hangs on a dashed end.', {
      document: (
        <Thread
          label="History"
          entries={[
            {
              key: '1',
              title: 'Asha Rao created the document',
              note: '18 Nov 2026, 9:12 am',
              icon: 'documentPlus',
            },
            { key: '2', title: 'Vikram Shah was invited', note: '18 Nov 2026, 9:12 am' },
            { key: '3', title: 'Vikram Shah approved', note: '20 Nov 2026, 6:40 pm', tone: 'verified' },
            { key: '4', title: 'Waiting for Asha Rao to finalize', tone: 'waiting' },
          ]}
        />
      ),
      sealed: (
        <Thread
          label="History"
          entries={[
            { key: '1', title: 'Meera Iyer rejected', note: '19 Nov 2026, 1:05 pm', tone: 'rejected' },
            { key: '2', title: 'Sealed', note: '21 Nov 2026, 5:30 am', tone: 'sealed' },
          ]}
        />
      ),
    }),
  ],
};
