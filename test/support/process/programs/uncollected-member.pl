# Leaves in its group one ended process that its parent, outside of the group, never collects.
use strict;
use warnings;
$| = 1;
my $group = $$;
pipe(my $reader, my $writer);
my $parent = fork();
if ($parent == 0) {
    setpgrp(0, 0);
    my $member = fork();
    if ($member == 0) {
        setpgrp(0, $group);
        exit 0;
    }
    # Waits for the end without collecting it.
    select(undef, undef, undef, 0.01) until state_of($member) eq 'Z';
    print "parent $$ member $member\n";
    close $writer;
    sleep 300;
    exit 0;
}
close $writer;
<$reader>;
exit 0;

sub state_of {
    my ($pid) = @_;
    open(my $file, '<', "/proc/$pid/stat") or return '';
    my $line = <$file>;
    return $line =~ /\) (\S) (\d+) (\d+)/ && $3 == $group ? $1 : '';
}
