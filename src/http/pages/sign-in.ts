import { signInPage as show } from '../../pages/sign-in.ts';
import { page } from './page.ts';

export const signInPage = () => page({ show: ({ contextIn }) => ({ page: show(contextIn(undefined)) }) });
