// SQLite's C interface, for the few sources that call it. They are compiled twice: into the core
// library, which links SQLite, and with FENDEX_SQLITE_EXTENSION into the loadable extension. There
// every call uses the table of functions of the program that has loaded the extension, so that a
// process has only one SQLite.
#pragma once

#ifdef FENDEX_SQLITE_EXTENSION
#include <sqlite3ext.h>
#ifndef FENDEX_SQLITE_EXTENSION_ENTRY  // the one source that defines the table
SQLITE_EXTENSION_INIT3
#endif
#else
#include <sqlite3.h>
#endif
