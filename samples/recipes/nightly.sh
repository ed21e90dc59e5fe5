#!/usr/bin/env bash
# nightly.sh DB BACKUP INPUT...: imports what is new, then makes a backup that has been checked.
# Archives that were imported before are skipped, so the inputs may be a directory to which archives
# are added. The line for crontab -e; cron mails what is printed, which is nothing unless something
# went wrong:
#
#     15 3 * * *  /path/to/nightly.sh /srv/my.db /backup/my.db /srv/archives
set -euo pipefail
if (($# < 3)); then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
db=$1 backup=$2

# cron's PATH has no /usr/local/bin.
PATH=$PATH:/usr/local/bin
# An input that cannot be read must not keep the rest from being backed up.
status=0
fendex import "$db" --quiet "${@:3}" || status=$?
fendex backup "$db" "$backup" --quiet
exit "$status"
