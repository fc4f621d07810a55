#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# A bot for plyd in Perl, with Debian's libdata-messagepack-perl: plays a match of
# random legal moves against one of the server's personalities.
#
#     docs/examples/bot.pl english bold tls://HOST:PORT
#
# tls:// needs libio-socket-ssl-perl, too.
use strict;
use warnings;
use Data::MessagePack;
use IO::Socket::IP;
$| = 1;

my ($ruleset, $personality, $server) = (@ARGV, '127.0.0.1:7531');
my $key = sprintf '%d-%d', time, $$;    # a retry opens no second lobby
my $pack = Data::MessagePack->new->utf8;
my ($socket, $unpacker, $bytes, $token, @told);
my $last_id = 0;

# The next message, whatever it is. The unpacker says how far it has read.
sub receive {
    my $at = 0;
    until (length $bytes and ($at = $unpacker->execute($bytes, $at),
                              $unpacker->is_finished)) {
        sysread $socket, $bytes, 65536, $at = length $bytes
            or die "connection lost\n";
    }
    my $message = $unpacker->data;
    $unpacker->reset;
    substr $bytes, 0, $at, '';
    return $message;
}

# Sends a request and waits for its result; dies of an error, with its name.
sub ask {
    my ($method, %params) = @_;
    $socket->print($pack->pack([0, ++$last_id, $method, [\%params]]))
        or die "connection lost\n";
    my $message = receive();
    while ($message->[0] == 2) {    # a notification; kept for tell()
        push @told, $message;
        $message = receive();
    }
    my (undef, undef, $error, $result) = @$message;
    return $result unless $error;
    my ($code, $name, $text, $details) = @$error;
    die "$name: $text\n" unless $name =~ /^(rate_limited|not_stored)$/;
    select undef, undef, undef, ($details->{retry_after_ms} // 500) / 1000;
    return ask($method, %params);    # nothing had happened
}

# The next notification: its name and its parameters.
sub told {
    my (undef, $name, $params) = @{ shift @told || receive() };
    return ($name, $params->[0]);
}

# Connects and says hello; with the token if there is one.
sub login {
    if ($server =~ m{^tls://(.*)}) {    # trusts the system, or SSL_CERT_FILE
        require IO::Socket::SSL;
        $socket = IO::Socket::SSL->new($1)
            or die "connection lost: $IO::Socket::SSL::SSL_ERROR\n";
    } else {
        $socket = IO::Socket::IP->new($server) or die "connection lost\n";
    }
    ($unpacker, $bytes, @told) = (Data::MessagePack::Unpacker->new->utf8, '');
    my $welcome = ask('hello', protocol => 1, bot => Data::MessagePack::true(),
        $token ? (token => $token) : ());
    $token = $welcome->{token};
    return $welcome;
}

# Opens a lobby and waits for its match; returns the match's id.
sub begin {
    my ($welcome) = @_;
    return $welcome->{matches}[0] if @{ $welcome->{matches} };
    ask('lobby.create', ruleset => $ruleset, personality => $personality,
        ready => Data::MessagePack::true(), key => $key);
    while (1) {
        my ($name, $params) = told();
        return $params->{match} if $name eq 'match.started';
    }
}

# What to do in a match that waits for us: a method, its parameters. To make the
# bot yours, change the last line. It never doubles, and always takes.
sub decide {
    my ($state) = @_;
    return 'match.roll' if $state->{awaits} eq 'roll';
    return 'match.take' if $state->{awaits} eq 'answer';
    my @moves = @{ $state->{legal_moves} };
    return ('match.move', move => $moves[rand @moves]);
}

# Plays a match to its end; returns its result.
sub follow {
    my ($match) = @_;
    my $state = ask('match.watch', match => $match);
    until ($state->{result}) {
        if ($state->{awaits} and $state->{turn} eq $state->{you}) {
            my ($method, %more) = decide($state);
            eval { ask($method, match => $match, ply => $state->{ply}, %more) };
            die $@ if $@ and $@ !~ /^(game_over|flag_fallen|stale_ply):/;
            print $@ || "$state->{ply} " . ($more{move} // $method) . "\n";
        }
        while (1) {    # until we are to move, or the match has ended
            my ($name, $event) = told();
            next if $name ne 'match.event' or $event->{seq} <= $state->{seq};
            last if ($event->{turn} // '') eq $state->{you};
            last if $event->{event} eq 'ended';
        }
        $state = ask('match.get', match => $match);
    }
    return $state->{result};
}

my ($match, $result);
until ($result) {
    eval {
        my $welcome = login();
        $match ||= begin($welcome);
        $result = follow($match);
    };
    die $@ if $@ and $@ !~ /^connection lost/;
    print $@ and select undef, undef, undef, 0.2 + rand 2 unless $result;
}
print "result: $result->{result} $result->{reason}\n";
