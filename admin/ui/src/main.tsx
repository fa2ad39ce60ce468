import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import { App } from './app';
import { boot } from './lib/boot';
import './lib/fleet';

render(<App />, document.getElementById('app')!);
void boot();
