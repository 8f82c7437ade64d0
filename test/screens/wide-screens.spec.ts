// Own relay: its account is filled, and every page of it is shown.
import { showsEveryPage } from '../support/browser/every-page.js';

showsEveryPage({ width: 1_440, scheme: 'light' });
